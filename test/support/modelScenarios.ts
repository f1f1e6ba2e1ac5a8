import { answerLikeAModel, sectionsOf, topicOf } from './modelAnswers.ts';
import { isWriting, type ParsedRequest, type Step } from './modelRequest.ts';
import type { ModelOverride, Script } from './modelServer.ts';

/** Ready scripts for the imitated model server. Each is used by one server: some count what they saw. */

/** The first script that has something to say wins. */
export function either(...scripts: readonly Script[]): Script {
  return (request) => {
    for (const script of scripts) {
      const override = script(request);
      if (override !== undefined) return override;
    }
    return undefined;
  };
}

/** The same override for each request of a step (all, without one), from the `after`th on, `times` times. */
export function whenever(
  override: ModelOverride,
  which: {
    readonly step?: Step;
    readonly section?: string | RegExp;
    readonly after?: number;
    readonly times?: number;
  } = {},
): Script {
  let seen = 0;
  return (request) => {
    if (which.step !== undefined && !isOfStep(request, which.step)) return undefined;
    if (which.section !== undefined && !matches(request.section, which.section)) return undefined;
    seen += 1;
    const position = seen - 1 - (which.after ?? 0);
    return position >= 0 && position < (which.times ?? Infinity) ? override : undefined;
  };
}

/** Asks one question with options; when an answer stands in the prompt, all is clear. */
export function clarifyOnce(
  question = 'Which aspect matters most to you?',
  options: readonly string[] = ['An overview of methods', 'Recent results', 'Tools and code'],
): Script {
  return (request) => {
    if (request.step !== 'assess' || request.prompt.includes(question)) return undefined;
    return {
      json: {
        need_clarification: true,
        question,
        options: options.map((label, index) => ({ label, recommended: index === 0 })),
        recommended: options[0],
        missing_info: 'goal',
        verification: '',
        refined_query: request.question,
        assessment: {
          topic_clear: true,
          scope_inferable: true,
          goal_clear: false,
          unknown_terms: [],
          focus: [`${topicOf(request.question)}`],
          confidence: 0.5,
          reasoning: 'The goal is not stated and no default is obvious.',
        },
      },
    };
  };
}

/** A list question whose entities are discovered first. */
export function discoverList(target = 'approaches'): Script {
  return (request) =>
    request.step === 'analyze'
      ? {
          json: {
            query_type: 'list',
            output_format: 'table',
            needs_discovery: true,
            discovery_target: target,
            reasoning: 'A list is asked for.',
          },
        }
      : undefined;
}

/** Every section finds the same, and its writer says all of it, every other statement in other words, and the first one twice. */
export function repeatsItself(): Script {
  return ({ step, section, sources, prompt }) => {
    if (step === 'distil') {
      const first = sources.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, 6);
      const found = first.flatMap(({ id, text }) =>
        [...text.matchAll(/\{(\d+)\} ([^{}]*)/g)].slice(0, 2).map(([, number = '', sentence = '']) => ({
          ...{ source: id, quote: number, claim: sentence.replace(/\s+/g, ' ').trim() },
        })),
      );
      return { json: { off_topic: [], to_readers: [], key_findings: found, content: '' } };
    }
    if (step !== 'section') return undefined;
    const claims = [...prompt.matchAll(/^- (.+?)[.\s]* \[(S[0-9a-f]+)\]/gm)].map(
      ([, claim = '', id = ''], index) =>
        `${(index + section.length) % 2 === 0 ? claim : `The notes add: ${claim}`} [${id}].`,
    );
    const again = claims.slice(0, 1).map((claim) => `The notes add: ${claim.replace('The notes add: ', '')}`);
    return { text: `${claims.join(' ')}\n\n${again.join('')}\n` };
  };
}

/** The first review sends one section back: `which` is its position in the plan, from 0. */
export function sendBackOnce(which = 0, gap = 'Figures of a benchmark are missing.'): Script {
  let sent = false;
  return (request) => {
    if (request.step !== 'review' || sent) return undefined;
    const override = sendBack(request, which, gap);
    sent = override !== undefined;
    return override;
  };
}

/** The review of each run's first round sends one section back; the same request is answered alike, however often it comes. */
export function sendBackInFirstRound(which = 0, gap = 'Figures of a benchmark are missing.'): Script {
  return (request) =>
    request.step === 'review' && /This is review round 1\./.test(request.prompt)
      ? sendBack(request, which, gap)
      : undefined;
}

function sendBack(request: ParsedRequest, which: number, gap: string): ModelOverride | undefined {
  const sections = sectionsOf(request.prompt);
  const target = sections[which];
  if (target === undefined) return undefined;
  return {
    json: {
      is_sufficient: false,
      overall_score: 5,
      section_coverage: sections.map((section) => ({
        title: section.title,
        id: section.id,
        status: section === target ? 'partial' : 'sufficient',
        notes: section === target ? gap : '',
      })),
      gaps: [{ section: target.id, gap }],
      sections_to_retry: [target.id],
      reasoning: 'One section stays on the surface.',
      contradictions: [],
    },
  };
}

/** The critic asks for a change of one section, `which` in the order of the draft, and of the frame, until a section weighs. */
export function askForChanges(
  which = 0,
  point = 'The findings are listed and not weighed against each other.',
): Script {
  return (request) => {
    if (request.step !== 'critique' || request.prompt.includes('Taken together, this suggests')) return undefined;
    const target = sectionsOf(request.prompt)[which];
    if (target === undefined) return undefined;
    return {
      json: {
        reasoning: 'It lists.',
        points: [
          { point, kind: 'listed', part: target.id },
          { point: 'The summary does not begin with the answer.', kind: 'missing', part: 'summary' },
        ],
      },
    };
  };
}

/** Sure enough to plan, and not enough to start: the plan is shown first. */
export function unsure(): Script {
  return (request) => {
    if (request.step !== 'assess') return undefined;
    const answer = JSON.parse(answerLikeAModel(request, {}, []).text) as { readonly assessment: object };
    return { json: { ...answer, assessment: { ...answer.assessment, confidence: 0.8 } } };
  };
}

/** The question holds a term that nobody has heard of, until it was looked up. */
export function unknownTerm(term: string): Script {
  return (request) => {
    if (request.step !== 'assess' || request.prompt.includes('<lookup term')) return undefined;
    const answer = JSON.parse(answerLikeAModel(request, {}, []).text) as { readonly assessment: object };
    return { json: { ...answer, assessment: { ...answer.assessment, unknown_terms: [term] } } };
  };
}

/** A script for the runs with one question. */
export function askedFor(question: string, script: Script): Script {
  return (request) => (request.question.split('\n')[0] === question ? script(request) : undefined);
}

/** Whatever a section asks of the model fails for good: by HTTP 500, or by a server that never answers it. */
export function failResearcher(section: string | RegExp, how: 'error' | 'hang' = 'error'): Script {
  return (request) => {
    const isResearch = request.step === 'act' || request.step === 'distil';
    if (!isResearch || !matches(request.section, section)) return undefined;
    return how === 'hang' ? { hang: true } : { status: 500 };
  };
}

/** Answers of a server that refuses. */
export const refusals = {
  badKey: {
    status: 401,
    body: {
      error: {
        message: 'Incorrect API key provided.',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      },
    },
  },
  unknownModel: {
    status: 404,
    body: {
      error: {
        message: 'The model `imitation-9` does not exist or you do not have access to it.',
        type: 'invalid_request_error',
        param: null,
        code: 'model_not_found',
      },
    },
  },
  rateLimit: {
    status: 429,
    headers: { 'retry-after': '1' },
    body: {
      error: {
        message: 'Rate limit reached on requests per min (RPM). Please try again in 1s.',
        type: 'requests',
        param: null,
        code: 'rate_limit_exceeded',
      },
    },
  },
  quota: {
    status: 429,
    body: {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    },
  },
  contextLength: {
    status: 400,
    body: {
      error: {
        message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  },
  serverError: { status: 500 },
  htmlPage: {
    status: 200,
    body: '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in to the network.</body></html>',
  },
  emptyChoices: {
    sse: 'data: {"id":"x","object":"chat.completion.chunk","created":0,"model":"m","choices":[]}\n\ndata: [DONE]\n\n',
  },
  brokenStream: { stopAfter: { pieces: 3, how: 'cut' } },
  endedStream: { stopAfter: { pieces: 3, how: 'end' } },
  silentStream: { stopAfter: { pieces: 3, how: 'stall' } },
  errorInStream: {
    sse:
      'data: {"id":"x","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Half an"},"finish_reason":null}]}\n\n' +
      'data: {"error":{"code":502,"message":"Provider returned error"}}\n\n',
  },
} as const satisfies Record<string, ModelOverride>;

function matches(text: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? text === pattern : pattern.test(text);
}

/** `report` is every step that writes the report's text. */
export function isOfStep(request: ParsedRequest, step: Step): boolean {
  return request.step === step || (step === 'report' && isWriting(request.step));
}

/** All requests of a step. */
export function requestsOf<T extends ParsedRequest>(requests: readonly T[], step: Step): T[] {
  return requests.filter((request) => isOfStep(request, step));
}
