import type { BadModel } from './badModels.ts';
import { answerLikeAModel, type ImitatedAnswer } from './modelAnswers.ts';
import type { ParsedRequest } from './modelRequest.ts';
import type { ModelOverride, Script } from './modelServer.ts';

/**
 * Models that answer rightly and in a form that nobody asked for: strong ones on a bad day, small ones always. Nothing of what
 * they say may be lost for its form.
 */

type Call = ImitatedAnswer['toolCalls'][number];

interface Meant extends ImitatedAnswer {
  readonly request: ParsedRequest;
}

/** What the imitated model means by an answer, put in another form. Calls are calls, whether the server knows tools or not. */
const said = (form: (meant: Meant) => ModelOverride | undefined) => (): Script => {
  const log: ParsedRequest[] = [];
  return (request) => {
    const answer = answerLikeAModel(request, {}, log);
    log.push(request);
    const written = request.step === 'act' && answer.toolCalls.length === 0;
    const toolCalls = written ? callsIn(answer.text) : answer.toolCalls;
    return form({ text: toolCalls.length > 0 ? '' : answer.text, toolCalls, request });
  };
};

function callsIn(text: string): Call[] {
  const { tool_calls: calls = [] } = JSON.parse(text) as { tool_calls?: { name: string; arguments: Call['args'] }[] };
  return calls.map(({ name, arguments: args }) => ({ name, args }));
}

/** Another JSON of the same meaning, for the steps that answer with JSON. */
const rewritten = (change: (value: unknown, meant: Meant) => unknown) =>
  said((meant) => {
    if (meant.toolCalls.length > 0 || !meant.request.structured) return undefined;
    const value = change(JSON.parse(meant.text), meant);
    return typeof value === 'string' ? { text: value } : { json: value };
  });

interface Distilled {
  readonly key_findings: readonly { readonly source: string; readonly quote: string; readonly claim: string }[];
}

/** The findings of a section in another form; `index` counts them. */
const findings = (change: (finding: Distilled['key_findings'][number], index: number, meant: Meant) => unknown) =>
  rewritten((value, meant) => {
    if (meant.request.step !== 'distil') return value;
    const answer = value as Distilled;
    return { ...answer, key_findings: answer.key_findings.map((finding, index) => change(finding, index, meant)) };
  });

/** Every object of a value, from the outside in. */
function everywhere(value: unknown, change: (record: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => everywhere(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const changed = change(value as Record<string, unknown>);
  return Object.fromEntries(Object.entries(changed).map(([key, inner]) => [key, everywhere(inner, change)]));
}

const renamed = (name: (key: string) => string) => (value: unknown) =>
  everywhere(value, (record) => Object.fromEntries(Object.entries(record).map(([key, inner]) => [name(key), inner])));

/** Calls as text, each in the form of some model; native where there are none. */
const dialect = (write: (calls: readonly Call[], turn: number) => string) => {
  let turn = 0;
  return said((meant) => {
    if (meant.toolCalls.length === 0 || meant.request.step !== 'act') return undefined;
    return { text: write(meant.toolCalls, turn++), toolCalls: [] };
  });
};

const json = JSON.stringify;
const others = (forms: readonly ((text: string, index: number) => string)[]) => (text: string, index: number) =>
  forms[index % forms.length]!(text, index);
const encoder = new TextEncoder();

/** Forms in which a number stands for a sentence. */
const numberForms = others([
  (n) => `{${n}}–{${Number(n) + 1}}`,
  (n) => `[${n}]`,
  (n) => `(${n})`,
  (n) => `${n}.`,
  (n) => `#${n}`,
  (n) => `sentence ${n}`,
  (n) => `${n} and ${Number(n) + 1}`,
  (n) => `${n} — ${Number(n) + 1}`,
  (n) => `S1:${n}`,
]);

/** Forms in which a source stands without its id. */
const sourceForms = (id: string, index: number, { request }: Meant): string => {
  const place = request.sources.findIndex((source) => source.id === id);
  const { title = id } = request.sources[place] ?? {};
  return [`[${place + 1}]`, title, `Source ${place + 1}`, `${title.toUpperCase()}.`, String(place + 1)][index % 5]!;
};

const first: readonly Omit<BadModel, 'half'>[] = [
  {
    name: 'thinks aloud before everything',
    script: said(({ text, toolCalls }) => ({
      text: `<think>\nThey want JSON like {"title": "x"}; "quote" is a number.\n\n# Plan\n</think>\n\n${text}`,
      toolCalls,
    })),
  },
  {
    name: 'JSON in a fence, with comments and a greeting',
    script: rewritten((value) => {
      const lines = JSON.stringify(value, null, 2).split('\n');
      const commented = lines.map((line, at) => (at % 3 === 1 ? `${line} // as asked` : line)).join('\n');
      return `Of course! Here is the JSON:\n\n\`\`\`json\n/* answer */\n${commented}\n\`\`\`\n\nIs there anything else?`;
    }),
  },
  {
    name: 'sentence numbers in other forms',
    script: findings((finding, index) =>
      /^\d+$/.test(finding.quote) ? { ...finding, claim: '', quote: numberForms(finding.quote, index) } : finding,
    ),
  },
  {
    name: 'sources by place and by title',
    script: findings((finding, index, meant) => ({ ...finding, source: sourceForms(finding.source, index, meant) })),
  },
  {
    name: 'keys in camel case',
    script: rewritten(renamed((key) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))),
  },
  {
    name: 'one object where a list is wanted',
    script: rewritten((value) =>
      everywhere(value, (record) =>
        Object.fromEntries(
          Object.entries(record).map(([key, inner]) => [
            key,
            Array.isArray(inner) && inner.length > 0 && typeof inner[0] === 'object' ? inner[0] : inner,
          ]),
        ),
      ),
    ),
  },
  {
    name: 'calls as Action and Action Input',
    script: () =>
      dialect((calls) =>
        calls
          .map(({ name, args }) => `Thought: I need sources.\nAction: ${name}\nAction Input: ${json(args)}`)
          .join('\n'),
      )(),
  },
  {
    name: 'answers in the reasoning alone',
    script: said(({ text, toolCalls, request }) =>
      toolCalls.length > 0 && request.tools.length > 0 ? undefined : { text: '', reasoning: text, toolCalls: [] },
    ),
  },
  {
    name: 'length limit at the first answer of each step, and at the end of a complete one',
    script: () => {
      const seen = new Set<string>();
      return said(({ text, toolCalls, request: { step, section } }) => {
        if (toolCalls.length > 0) return undefined;
        const isFirst = !seen.has(step + section);
        seen.add(step + section);
        return { text: isFirst ? text.slice(0, Math.floor(text.length * 0.6)) : text, finish: 'length' };
      })();
    },
  },
  {
    name: 'comments, CRLF and split characters on the wire, no usage, empty choices first',
    script: () => () => ({
      usage: null,
      wire: (events) => {
        const text = [': ready', 'data: {"choices":[]}', ...events.map((event) => `: ping\r\ndata: ${event}`)];
        const bytes = encoder.encode(`${text.join('\r\n\r\n')}\r\n\r\n`);
        return Array.from({ length: Math.ceil(bytes.length / 37) }, (_, at) => bytes.slice(at * 37, at * 37 + 37));
      },
    }),
  },
];

/** Sentences of a prompt's source as a model counts them that does not look at their numbers. */
const ownCount = (quote: string, id: string, { request }: Meant): string => {
  const text = request.sources.find((source) => source.id === id)?.text ?? '';
  const numbers = [...text.matchAll(/\{(\d+)\}/g)].map(([, number]) => number);
  return String(Math.max(0, numbers.indexOf(quote)));
};

const chinese: Readonly<Record<string, string>> = {
  off_topic: '离题来源',
  to_readers: '对读者说的话',
  key_findings: '关键发现',
  content: '内容',
  source: '来源',
  quote: '引用',
  claim: '论断',
  title: '标题',
  objective: '目标',
  sections: '章节',
  description: '描述',
  descriptions: '各节描述',
  queries: '查询',
  scope: '范围',
  need_clarification: '需要澄清',
  question: '问题',
  options: '选项',
  reasoning: '理由',
  is_sufficient: '足够',
  overall_score: '总分',
  gaps: '缺口',
  next_queries: '后续查询',
  research_brief: '研究简报',
  query_type: '问题类型',
  output_format: '输出格式',
};

const callForms: readonly ((call: Call) => string)[] = [
  ({ name, args }) =>
    `<tool_call>\n<function=${name}>\n${Object.entries(args)
      .map(([key, value]) => `<parameter=${key}>\n${String(value)}\n</parameter>`)
      .join('\n')}\n</function>\n</tool_call>`,
  ({ name, args }) =>
    `[${name}(${Object.entries(args)
      .map(([key, value]) => `${key}=${typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : json(value)}`)
      .join(', ')})]`,
  ({ name, args }) =>
    `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${json(args)}<|call|>`,
  ({ name, args }) =>
    `<function_calls><invoke name="${name}">${Object.entries(args)
      .map(([key, value]) => `<parameter name="${key}">${String(value)}</parameter>`)
      .join('')}</invoke></function_calls>`,
  ({ name, args }) => `<|python_tag|>${json({ name, parameters: args })}`,
];

const idForms = others([
  (id) => id.toUpperCase(),
  (id) => `source ${id}`,
  (id) => id.slice(1),
  (id) => `<source id="${id}">`,
  (id) => `[${id}](https://example.org/${id})`,
]);
const markerForms = others([
  (id) => `【${id}】`,
  (id) => `(${id})`,
  (id) => `[source: ${id}]`,
  (id) => `[^${id}]`,
  (id) => `[${id.toUpperCase()}]`,
]);

const second: readonly Omit<BadModel, 'half'>[] = [
  {
    name: 'counts the sentences itself, from 0',
    script: findings((finding, _, meant) =>
      /^\d+$/.test(finding.quote) ? { ...finding, quote: ownCount(finding.quote, finding.source, meant) } : finding,
    ),
  },
  {
    name: 'keys in Chinese',
    script: rewritten((value, { request: { step } }) =>
      // What the imitated model does not give in the order of the schema can't be told without its names.
      ['distil', 'analyze', 'plan'].includes(step) ? renamed((key) => chinese[key] ?? key)(value) : value,
    ),
  },
  {
    name: 'a draft object before the answer, another one behind it',
    script: rewritten((value) => {
      const looks = Array.from({ length: 40 }, (_, index) => `Source ${index * 7} says ${index ** 3} things.`);
      const draft = { thought: looks.join(' '), step: 1 };
      return `${json(draft)}\n\n${json(value)}\n\n{"confidence": 0.9}\n\nI hope that helps.`;
    }),
  },
  {
    name: 'numbers, flags and nested objects as strings',
    script: rewritten((value) =>
      Object.fromEntries(
        Object.entries(value as object).map(([key, inner]: [string, unknown]) => [
          key,
          typeof inner === 'string' ? inner : typeof inner === 'number' ? `${inner}/10` : pythonic(inner),
        ]),
      ),
    ),
  },
  {
    name: 'calls in five dialects',
    script: () =>
      dialect((calls, turn) =>
        calls.map((call, index) => callForms[(turn + index) % callForms.length]!(call)).join('\n'),
      )(),
  },
  {
    name: 'sentence numbers with words, ranges as objects and lists',
    script: findings((finding, index) => {
      if (!/^\d+$/.test(finding.quote)) return finding;
      const n = Number(finding.quote);
      const quote = [
        [n, n + 1],
        { start: n, end: n + 1 },
        `第${n}句`,
        `lines ${n}..${n + 1}`,
        `${finding.source}#${n}`,
        n,
        `**${n}** (of that source)`,
        `${n}/${n + 1}`,
      ][index % 8];
      return { ...finding, claim: '', quote };
    }),
  },
  {
    name: 'a Python dictionary',
    script: rewritten((value) => `answer = ${pythonic(value)}\nprint(answer)`),
  },
  {
    name: 'a gateway that fails in the middle of the first answer of each step',
    script: () => {
      const seen = new Set<string>();
      return (request) => {
        const key = request.step + request.section;
        if (seen.has(key)) return { wire: gateway };
        seen.add(key);
        return {
          sse: ': GATEWAY PROCESSING\n\ndata: {"id":"gen-1","provider":"P","choices":[{"index":0,"delta":{"role":"assistant","content":"{"},"finish_reason":null,"native_finish_reason":null}]}\n\ndata: {"id":"gen-1","error":{"code":502,"message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
        };
      };
    },
  },
  {
    name: 'the answer inside the schema',
    script: rewritten((value) => ({ type: 'object', properties: value, required: Object.keys(value as object) })),
  },
  {
    name: 'ids and citations in other forms',
    script: said(({ text, toolCalls, request }) => {
      if (toolCalls.length > 0) return undefined;
      if (request.step === 'distil') {
        const answer = JSON.parse(text) as Distilled;
        const changed = answer.key_findings.map((one, index) => ({ ...one, source: idForms(one.source, index) }));
        return { json: { ...answer, key_findings: changed } };
      }
      let count = 0;
      return { text: text.replace(/\[(S[0-9a-f]+)\]/g, (_, id: string) => markerForms(id, count++)) };
    }),
  },
];

function pythonic(value: unknown): string {
  return json(value)
    .replace(/\btrue\b/g, 'True')
    .replace(/\bfalse\b/g, 'False')
    .replace(/\bnull\b/g, 'None');
}

/** OpenRouter's stream: comments while it waits, and the usage in a chunk of its own. */
function gateway(events: readonly string[]): readonly Uint8Array[] {
  return [': GATEWAY PROCESSING\n\n', ...events.map((event) => `data: ${event}\n\n`)].map((text) =>
    encoder.encode(text),
  );
}

export const badDays: readonly BadModel[] = [
  ...first.map((model) => ({ ...model, half: 'first' as const })),
  ...second.map((model) => ({ ...model, half: 'second' as const })),
];
