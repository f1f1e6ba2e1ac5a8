import { answerLikeAModel } from './modelAnswers.ts';
import { isWriting, type ParsedRequest, type Step } from './modelRequest.ts';
import type { ModelOverride, ModelServerOptions, Script } from './modelServer.ts';

/** Models that are of no use, each in one way, as real small models and weak servers were seen to be. */
export interface BadModel {
  readonly name: string;
  /** Made while the floor was built, or looked at when it stood. */
  readonly half: 'first' | 'second';
  /** A fresh script for each run: some count what they saw. */
  readonly script: () => Script;
  readonly server?: Pick<ModelServerOptions, 'pieceLength' | 'slots' | 'tokenDelayMs'>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

const answers = (override: ModelOverride | ((request: ParsedRequest) => ModelOverride | undefined)) => (): Script =>
  typeof override === 'function' ? override : () => override;

/** Changes what the imitated model says to a step. */
const changed =
  (steps: readonly Step[], change: (answer: Record<string, unknown>, request: ParsedRequest) => unknown) =>
  (): Script =>
  (request) => {
    if (!steps.includes(request.step)) return undefined;
    const { text, toolCalls } = answerLikeAModel(request, {}, []);
    if (toolCalls.length > 0) return undefined;
    return { json: change(JSON.parse(text) as Record<string, unknown>, request) };
  };

const inventedIds = (text: string): string => text.replace(/\bS([0-9a-f]{5,64})\b/g, 'S00dead$1'.slice(0, 9));

/** Words of no language, as a broken template or a wrong quantisation gives them; the same each time. */
function noise(seed: number, length: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += String.fromCharCode(state % 5 === 0 ? 0x20 : 0x21 + (state % 0x2f0));
  }
  return text;
}

const chatter = `As an AI language model, I do not have access to your files. However, I can help you with that!

Here's the full report again:

# Report

Sure! I hope this helps. Let me know if you need anything else. As an AI language model, I cannot browse the internet.
Retrieval is very important in today's fast-paced world. Many experts agree that it is a game changer.`;

const foreign = `Die Abfrage ist eine sehr wichtige Sache. Viele Menschen denken darüber nach. Es gibt gute und schlechte Wege.
Man sollte immer vorsichtig sein. Das Wetter ist heute schön.`;

const loop = 'Retrieval-augmented generation is a method that is a method. ';

export const badModels: readonly BadModel[] = [
  { name: 'empty', half: 'first', script: answers({ text: '' }) },
  { name: 'whitespace', half: 'second', script: answers({ text: ' \n\t \u00a0\n\n  ' }) },
  {
    name: 'looping',
    half: 'first',
    script: answers(({ step }) => ({
      text: `${step === 'report' ? '# Report\n\n' : '{"title": "'}${loop.repeat(39)}`,
    })),
  },
  { name: 'garbage bytes', half: 'second', script: answers(({ index }) => ({ text: noise(index, 1_500) })) },
  {
    name: 'another language',
    half: 'second',
    script: answers(({ step }) => ({
      text: step === 'report' ? `# Bericht\n\n${foreign}\n\n## Fazit\n\n${foreign}` : foreign,
    })),
  },
  {
    name: 'prose instead of JSON',
    half: 'first',
    script: answers({
      text: 'I think that the question is interesting, and that there are many things to say about it in general terms.',
    }),
  },
  {
    name: 'JSON cut off',
    half: 'second',
    script: () => (request) => {
      const { text } = answerLikeAModel(request, {}, []);
      return { text: text.slice(0, Math.floor(text.length / 3)), finish: 'length' };
    },
  },
  {
    name: 'ids invented',
    half: 'first',
    script: () => (request) => {
      if (request.step !== 'distil' && !isWriting(request.step)) return undefined;
      return { text: inventedIds(answerLikeAModel(request, {}, []).text) };
    },
  },
  {
    name: 'quotes invented',
    half: 'second',
    script: () => (request) => {
      if (isWriting(request.step)) {
        const ids = [...new Set(request.prompt.match(/\bS[0-9a-f]{5,64}\b/g))];
        const body = ids.map((id) => `RAG was banned in Germany in all hospitals [${id}].`).join(' ');
        return { text: `# Report\n\n${body}\n\n## Conclusion\n\nIt was banned.` };
      }
      if (request.step !== 'distil') return undefined;
      const bad = ['the', 'ColBERT', 'It has been banned in all hospitals of Germany since 2019'];
      return {
        json: {
          title: request.section,
          content: request.sources.map(({ id }) => `RAG was banned in Germany in all hospitals [${id}].`).join(' '),
          sources: request.sources.map(({ id }) => id),
          key_findings: request.sources.map(({ id }, index) => ({
            claim: 'RAG was banned in Germany in all hospitals.',
            quote: bad[index % bad.length],
            source: id,
          })),
        },
      };
    },
  },
  {
    name: 'prompt repeated',
    half: 'first',
    script: answers(({ prompt }) => ({ text: prompt })),
  },
  { name: 'assistant chatter', half: 'second', script: answers({ text: chatter }) },
  {
    name: 'one heading as report',
    half: 'first',
    script: answers(({ step, question }) => (step === 'report' ? { text: `# ${question}\n` } : undefined)),
  },
  {
    name: 'cannot_do filled',
    half: 'first',
    script: changed(['assess'], (answer, { index }) => ({
      ...answer,
      cannot_do: ['ex', 'canno_d_2', 'no_subject', 'The question.'][index % 4],
      cannot_do_reason: 'ex',
    })),
  },
  {
    name: 'refined_query replaced',
    half: 'second',
    script: changed(['assess'], (answer) => ({ ...answer, refined_query: '2005.11401, 2004.12832' })),
  },
  {
    name: 'queries that find nothing',
    half: 'first',
    script: () => (request) => {
      if (request.step === 'plan') {
        const plan = JSON.parse(answerLikeAModel(request, {}, []).text) as { sections: object[] };
        return {
          json: { ...plan, sections: plan.sections.map((one) => ({ ...one, queries: ['zzqx vvlk', 'qqwrt'] })) },
        };
      }
      if (request.step !== 'act') return undefined;
      const search = request.tools.find(({ parameters }) => parameters.properties?.['query']);
      const isFirst = !request.messages.some(({ role }) => role === 'assistant');
      return isFirst && search
        ? { toolCalls: [{ name: search.name, args: { query: 'zzqx vvlk brrmpf' } }] }
        : { toolCalls: [{ name: 'research_complete', args: {} }] };
    },
  },
  {
    name: 'tools that do not exist',
    half: 'second',
    script: () => (request) =>
      ['act', 'supervise'].includes(request.step)
        ? {
            toolCalls: [
              { name: 'browse_internet', args: { q: 'everything' } },
              { name: 'python', args: '{"code": 1' },
            ],
          }
        : undefined,
  },
  {
    name: 'one slot',
    half: 'first',
    script: () => () => undefined,
    server: { tokenDelayMs: 1, slots: 1 },
  },
  {
    name: '2k window',
    half: 'second',
    script: () => (request) =>
      request.promptTokens > 2_048
        ? {
            status: 400,
            body: {
              error: {
                message: `This model's maximum context length is 2048 tokens. However, your messages resulted in ${request.promptTokens} tokens.`,
                type: 'invalid_request_error',
                param: 'messages',
                code: 'context_length_exceeded',
              },
            },
          }
        : undefined,
  },
  {
    name: 'too late',
    half: 'first',
    script:
      () =>
      ({ step }) =>
        step === 'distil' || isWriting(step) ? { hang: true } : undefined,
    settings: { 'limits.idleSeconds': 1 },
  },
  {
    name: 'stalls from the second answer on',
    half: 'second',
    script:
      () =>
      ({ index }) =>
        index > 0 ? { stopAfter: { pieces: 2, how: 'stall' } } : undefined,
    settings: { 'limits.idleSeconds': 1 },
  },
  { name: 'stream broken', half: 'first', script: answers({ stopAfter: { pieces: 3, how: 'cut' } }) },
  {
    name: 'content filter',
    half: 'second',
    script: answers({
      status: 400,
      body: {
        error: {
          message: 'Output data may contain inappropriate content.',
          type: 'data_inspection_failed',
          param: null,
          code: 'data_inspection_failed',
        },
      },
    }),
  },
  { name: 'finish: content_filter', half: 'second', script: answers({ text: '', finish: 'content_filter' }) },
];
