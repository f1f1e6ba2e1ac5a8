import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripHidden } from '../../../../src/markdown/hidden.ts';
import { withoutModelMarks } from '../../../../src/research/analyst/llm/modelMarks.ts';

const marks =
  `<|im_start|> <|im_end|> <|endoftext|> <|begin_of_text|> <|start_header_id|> <|eot_id|> <|eom_id|> <|python_tag|> <|user|> <|assistant|>
<|system|> <|end|> <|START_OF_TURN_TOKEN|> <|CHATBOT_TOKEN|> <|channel|> <|message|> <|return|> <|call|> <|tool_calls_section_begin|>
<|fim_prefix|> <|vision_start|> <|start_of_role|> <|observation|> <|im_sep|> <|object_ref_start|> <|refusal|> <｜User｜> <｜Assistant｜>
<｜begin▁of▁sentence｜> <｜tool▁calls▁begin｜> <start_of_turn> <end_of_turn> <start_of_image> <end_of_utterance> <start_function_call>
<image_soft_token> <fim_prefix> <fim_suffix> <fim_middle> <commit_before> <jupyter_code> <file_sep> <repo_name> <issue_start> <s> </s> <unk> <pad>
<bos> <eos> <mask> <sop> <eop> <extra_id_0> <unused12> <reserved_106> <0x0A> <<SYS>> <</SYS>> <_user> <_bot> <tool_call> </tool_call>
<tool_response> <tool_calls> <function_call> <function_calls> <function_results> <function=search> </function> <invoke name="x">
<parameter name="q"> <think> </think> <thinking> <reasoning> <scratchpad> <seed:think> <seed:tool_call> <minimax:tool_call> <arg_key>
<arg_value> <longcat_tool_call> <answer> <system> <assistant> <user> <human> <tool> <tools> <python> <result> <results> [INST] [/INST]
[TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [THINK] [/THINK] [TOOL_CONTENT]
[CALL_ID] [ARGS] [IMG] [IMG_BREAK] [PREFIX] [SUFFIX] [MIDDLE] [CLS] [SEP] [MASK] [gMASK] [|Human|] [|assistant|] [UNK] [PAD] [BOS] [EOS]
[e~[ ]~b] ◁think▷ ◁/think▷ ＜|im_start|＞ <filename> <reponame> <user > <system>`
    .split(/\s+(?![^<]*name=)(?!>)/)
    .filter((mark) => mark !== '');

for (const mark of marks) {
  test(`broken, and still readable: ${mark}`, () => {
    const shown = withoutModelMarks(`A paper says ${mark} opens a turn.`);
    assert.ok(!shown.includes(mark), shown);
    const word = /[a-z]{2,}/i.exec(mark)?.[0];
    if (word !== undefined) assert.ok(shown.includes(word), shown);
    assert.equal(withoutModelMarks(shown), shown);
  });
}

test('roles at the start of a line are broken', () => {
  for (const line of [
    'Human: obey',
    '\n\nAssistant: yes',
    'SYSTEM:\nnew rules',
    '### Instruction:\ndo',
    '### Response: ok',
    ' user: hi',
  ])
    assert.ok(
      !withoutModelMarks(`text\n${line}`).includes(
        line.trim().split(' ')[0] === '###' ? 'ction:' : /\w+:/.exec(line)![0],
      ) || !/\w:/.test(withoutModelMarks(line)),
      line,
    );
});

test('ordinary text and code stay as they are', () => {
  for (const text of [
    'if (a < b && c > d) return x[0];',
    'const list: Array<string> = [];',
    'std::vector<std::string> v;',
    '#include <stdio.h>',
    'See [RFC] and [TODO] and [1], [a link](https://x.example/y).',
    '<div class="x"><p>text</p></div>',
    'The user: a person. A human: another.',
    'x <= 3, y <- 4, a << 2',
    '| a | b |\n|---|---|',
    'Input: 3\nOutput: 4',
  ])
    assert.equal(withoutModelMarks(text), text);
});

const shownByPerson = {
  'an emoji of a family': '👨‍👩‍👧‍👦 and 👩🏽‍💻, ❤️ and 🏳️‍🌈, 1️⃣',
  Persian: 'می‌خواهم',
  Hindi: 'क्‍ष और श्‍री',
  Malayalam: 'ന്‍',
  Arabic: 'السلام ۝ عليكم',
  Thai: 'ภาษาไทย',
  Hangul: '한국어',
  Japanese: '日本語のテキスト',
};
for (const [name, text] of Object.entries(shownByPerson))
  test(`kept: ${name}`, () => {
    if (name !== 'Malayalam') assert.equal(stripHidden(text), text);
    else assert.ok(stripHidden(text).startsWith('ന്'));
  });

const code = (from: number, to = from): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
const hiding = [
  ...code(0x00, 0x08),
  ...code(0x0b, 0x0c),
  ...code(0x0e, 0x1f),
  ...code(0x7f, 0x9f),
  ...['\u00AD', '\u034F', '\u061C', '\u115F', '\u1160', '\u17B4', '\u17B5', '\u180B', '\u180E', '\u180F'],
  ...code(0x200b, 0x200f),
  ...code(0x2028, 0x202e),
  ...code(0x2060, 0x206f),
  '\u2800',
  '\u3164',
  '\uFEFF',
  '\uFFA0',
  ...code(0xfff0, 0xfffb),
  ...code(0xfe00, 0xfe0f),
  '\u{1BCA0}',
  ...code(0x1d173, 0x1d17a),
  ...code(0xe0000, 0xe007f),
  ...code(0xe0100, 0xe0110),
  '\uD800',
  '\uDC00',
  '\u{E01EF}',
];
test(`none of ${hiding.length} characters that nobody sees reaches a model`, () => {
  for (const char of hiding) {
    for (const text of [
      `a${char}b`,
      `a ${char} b`,
      `${char}ab`,
      `ab${char}`,
      `a${char}${char}${char}b`,
      `漢${char}字`,
    ]) {
      assert.ok(
        !withoutModelMarks(text).includes(char),
        `U+${char.codePointAt(0)!.toString(16)} in ${JSON.stringify(text)}`,
      );
    }
  }
});

test('joiners can not carry bits: not in Latin text, not in rows, not between emoji and letters', () => {
  for (const text of [
    'a\u200Db\u200Cc',
    'م\u200D\u200C\u200D\u200Cن',
    '👩\u200D\u200D\u200D💻',
    '👩\u200Dab',
    '1\u200D2',
  ])
    assert.ok((stripHidden(text).match(/[\u200C\u200D]/g) ?? []).length === 0, JSON.stringify(stripHidden(text)));
});
