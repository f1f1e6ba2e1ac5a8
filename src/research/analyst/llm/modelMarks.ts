import { stripHidden } from '../../../markdown/hidden.ts';

/**
 * Marks of chat templates and tool protocols, which a tokeniser may turn into a turn of its own or a call: in text from outside
 * they are broken visibly, so that a text about them stays readable. The families are those of the templates that model makers
 * publish: ChatML, Llama, Mistral, Gemma, DeepSeek, Qwen, Phi, Cohere, Granite, GLM, Kimi, MiniMax, Claude's and OpenAI's tools.
 */

/** Tags without `_` or `:` in their name; with one of them a name is no HTML, and is broken whatever it is. */
const tagNames =
  's|unk|pad|bos|eos|mask|cls|sep|sop|eop|eot|eod|eom|tools?|functions?|invoke|parameters?|think|thinking|thought|reasoning|reflection|scratchpad|answer|system|assistant|user|human|bot|model|observation|action|instructions?|prompt|context|documents?|python|filename|reponame|result|results|artifact|image|video|audio|end|sys|role|usr|ai|用户|escape|jais|co|tool[-_]?(?:calls?|use|results?|responses?|outputs?)|(?:tools?|functions?|system|assistant|user|human|model|agent)-[a-z]{1,20}|ant[-_]?(?:thinking|artifact)';
/** `<|im_start|>`, `<｜User｜>`, `<turn|>`, `<[system]>`, `<start_of_turn>`, `<co: 0>`, `</s>`, `<function=x>`, `<<SYS>>`, `<0x0A>`, `<extra_id_0>`. */
const angle = new RegExp(
  `[<＜﹤](?=[\\s/]{0,4}[|｜¦])|[<＜﹤](?=[\\w.\\/"▁-]{1,60}[|｜¦](?:[\\w▁]{1,40})?[>＞])|[<＜﹤](?=\\[\\w{1,60}\\]>)|[<＜﹤](?=/?co:\\s?\\d)|[<＜﹤](?=/?(?:[A-Za-z][A-Za-z0-9-]{0,40})?(?:_|:(?!:))[\\w:.-]{1,60}[\\s=>＞])|[<＜﹤](?=[<＜]?\\s{0,4}/?\\s{0,4}(?:${tagNames})(?:[\\s=|>/＞]|$))|[<＜﹤](?=(?:0x[0-9A-F]{2}|ctrl\\d{1,3}|dummy\\d{1,6}|unused\\d{1,4}|extra\\w{1,10}|reserved\\w{1,10})>)`,
  'gi',
);
/** `[INST]`, `[/TOOL_RESULTS]`, `[|Human|]`, `[gMASK]`, `[e~[`, `]~b]`. */
const square =
  /\[(\/?)(INST|CLS|SEP|MASK|UNK|PAD|BOS|EOS|gMASK|sMASK|IMG(?:_\w{1,12})?|THINK|ARGS|PREFIX|SUFFIX|MIDDLE|CALL_ID|[A-Z]{2,20}(?:_[A-Z\d]{1,20}){1,4})\]|\[(?=[|｜])|\[(?=e~\[)|\[(?=@\w{1,20}@\])|\](?=~[a-z]{1,4}\]|<\])/gi;
/** Words that a file of settings may have in brackets too, in lower case: `[AUDIO]`, `[REF]`. */
const capitals =
  /\[(\/?(?:AUDIO|EOD|TRANSCRIBE|TRANSCRIPTION|REF|EOT|EOM|SYS|SYSTEM|USER|ASSISTANT|TOOL|BOT|HUMAN))\]/g;
/** `### Instruction:`, `Human:`, `ASSISTANT:`, `System:` at the start of a line, as templates without marks have them. */
const role =
  /^([ \t]{0,8}(?:#{1,4}[ \t]{0,4}(?:instructions?|response|input|output|question|answer)|(?:#{1,4}[ \t]{0,4}|gpt4 correct )?(?:human|user|assistant|system)))(:)(?=[ \t\n]|$)/gim;
const triangle = /[◁▷]/g;
/** `✿FUNCTION✿`, `>>QUESTION<<`, `to=functions.x`, `/no_think`, a fence of `tool_code`. */
const flower = /✿(?=[A-Z]{2,12}✿)/gi;
const arrows = />>(?=[A-Z]{3,12}<<)/g;
const recipient = /\bto=(?=(?:functions|browser|python|container)\b)/g;
const thinkSwitch = /(?<![\w/.:-])\/(?=(?:no_?think|think)\b(?![/.]))/gi;
const toolFence = /(`{3,9}[ \t]{0,4}tool)_(?=(?:code|outputs?|calls?)\b)/gi;

/** A text from outside, as a prompt may hold it: no mark of a template or a tool protocol, no invisible character. */
export function withoutModelMarks(text: string): string {
  return stripHidden(text)
    .replace(angle, '‹')
    .replace(square, (whole, slash: string | undefined, name: string | undefined) =>
      name === undefined ? (whole === ']' ? ')' : '(') : `(${slash ?? ''}${name})`,
    )
    .replace(capitals, '($1)')
    .replace(role, '$1 $2')
    .replace(triangle, '|')
    .replace(flower, '* ')
    .replace(arrows, '» ')
    .replace(recipient, 'to = ')
    .replace(thinkSwitch, '∕')
    .replace(toolFence, '$1 ');
}
