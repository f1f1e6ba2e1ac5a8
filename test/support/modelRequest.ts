import type * as http from 'node:http';

/** The program's steps, as far as a server can see them. */
export type Step =
  | 'trial'
  | 'assess'
  | 'followUp'
  | 'challenge'
  | 'analyze'
  | 'act'
  | 'discover'
  | 'plan'
  | 'distil'
  | 'review'
  | 'report'
  | 'section'
  | 'frame'
  | 'critique'
  | 'verify'
  | 'reflect'
  | 'brief'
  | 'supervise'
  | 'other';

/** Whether a request of a step writes the report's text: at once, or section by section. */
export function isWriting(step: Step): boolean {
  return step === 'report' || step === 'section';
}

export interface WireMessage {
  readonly role: string;
  readonly content: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  readonly toolCallId?: string;
}

export interface WireTool {
  readonly name: string;
  readonly parameters: {
    readonly properties?: Readonly<Record<string, { readonly type?: string; readonly enum?: readonly unknown[] }>>;
    readonly required?: readonly string[];
  };
}

/** A chat completion request, read. */
export interface ParsedRequest {
  /** 0 for the first request that the server got. */
  readonly index: number;
  readonly step: Step;
  /** Title of the section (or the target of the discovery) that the request is about; "" for other steps. */
  readonly section: string;
  /** The user's question, as it stands in the prompt. */
  readonly question: string;
  readonly model: string;
  readonly stream: boolean;
  readonly wantsUsage: boolean;
  /** The answer shall be JSON of a schema, asked by response format or by the prompt alone. */
  readonly structured: boolean;
  readonly responseFormat: string | undefined;
  readonly messages: readonly WireMessage[];
  /** All texts of the conversation. */
  readonly prompt: string;
  readonly tools: readonly WireTool[];
  readonly sources: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** A rough count, four characters a token. */
  readonly promptTokens: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: http.IncomingHttpHeaders;
}

/** What the chat completions API takes, as far as the imitated server looks at it. */
interface WireBody extends Readonly<Record<string, unknown>> {
  readonly model: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_calls?: readonly { id: string; function: { name: string; arguments?: string } }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { function: { name: string; parameters?: WireTool['parameters'] } }[];
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema?: unknown } };
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

export function parseRequest(index: number, text: string, headers: http.IncomingHttpHeaders): ParsedRequest {
  const body = JSON.parse(text) as WireBody;
  const messages: WireMessage[] = (body.messages ?? []).map((message) => ({
    role: message.role,
    // The run's mark in the names of its fences is another one for every run.
    content: plainText(message.content).replace(/(<\/?[a-z]+)-[0-9a-f]{6}(?=[ >])/g, '$1'),
    toolCalls: (message.tool_calls ?? []).map((call) => ({
      id: call.id,
      name: call.function.name,
      args: call.function.arguments ?? '',
    })),
    ...(message.tool_call_id !== undefined && { toolCallId: message.tool_call_id }),
  }));
  const tools: WireTool[] = (body.tools ?? []).map((tool) => ({
    name: tool.function.name,
    parameters: tool.function.parameters ?? {},
  }));
  const prompt = messages.map((message) => message.content).join('\n\n');
  const format = body.response_format;
  const step = stepOf(format?.json_schema, tools, prompt);
  const structured = !['act', 'report', 'section', 'other'].includes(step);
  return {
    index,
    step,
    section: ['act', 'distil', 'section'].includes(step)
      ? (/^(?:Section|Task): (.+)$/m.exec(prompt)?.[1] ?? '').trim()
      : '',
    question: (/<question>\n?([\s\S]*?)\n?<\/question>/.exec(prompt)?.[1] ?? '').trim(),
    model: body.model,
    stream: body.stream === true,
    wantsUsage: body.stream_options?.include_usage === true,
    structured,
    responseFormat: format?.type,
    messages,
    prompt,
    tools,
    sources: sourcesOf(prompt),
    promptTokens: Math.ceil(text.length / 4),
    body,
    headers,
  };
}

/** Fields that only one step's answer has (the names of the program's structured outputs). */
const signs: readonly (readonly [Step, string])[] = [
  ['assess', 'need_clarification'],
  ['followUp', 'standalone_question'],
  ['challenge', 'corrected'],
  ['analyze', 'needs_discovery'],
  ['discover', 'search_coverage'],
  ['distil', 'key_findings'],
  ['review', 'sections_to_retry'],
  ['reflect', 'next_queries'],
  ['brief', 'research_brief'],
  ['plan', 'objective'],
  ['frame', 'conclusion'],
  ['critique', 'points'],
  ['verify', 'verdicts'],
];

function stepOf(schema: { readonly schema?: unknown } | undefined, tools: readonly WireTool[], prompt: string): Step {
  if (tools.some((tool) => tool.name === 'research_complete')) return 'act';
  if (tools.some((tool) => tool.name === 'ConductResearch')) return 'supervise';
  if (prompt.includes('short questions about numbered sentences')) return 'trial';
  const asked = schema === undefined ? prompt.replace(/<source [\s\S]*?<\/source>/g, '') : JSON.stringify(schema);
  const step = signs.find(([, sign]) => new RegExp(`"${sign}"`).test(asked))?.[0];
  if (step !== undefined) return step;
  if (asked.includes('"tool_calls"') && asked.includes('research_complete')) return 'act';
  if (/^Write the text of the section/m.test(asked)) return 'section';
  return /<section id=/.test(asked) ? 'report' : 'other';
}

/** The fenced sources of a prompt: `<source id="S3f9a1">`, a line `[S3f9a1] Title …`, the text, `</source>`. */
function sourcesOf(prompt: string): { id: string; title: string; text: string }[] {
  const found = new Map<string, { id: string; title: string; text: string }>();
  for (const [, id = '', inside = ''] of prompt.matchAll(/<source id="(S[0-9a-f]+)"[^>]*>\n([\s\S]*?)\n<\/source>/g)) {
    const [head = '', ...lines] = inside.split('\n');
    const text = lines.join('\n').trim();
    const before = found.get(id);
    found.set(id, {
      id,
      title: head.replace(/^\[S[0-9a-f]+\]\s*/, '').split(/ \| /)[0] ?? '',
      text: before ? `${before.text}\n${text}` : text,
    });
  }
  return [...found.values()];
}

function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((part: { text?: string } | null) => part?.text ?? '').join('');
  return '';
}
