import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  type CallToolResult,
  CallToolRequestSchema,
  ErrorCode,
  JSONRPCMessageSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { type RunOptions } from '../engine.ts';
import { readAllSettings } from '../catalogue.ts';
import { ResearchError } from '../research/errors.ts';
import { stripHidden } from '../research/text/hidden.ts';
import { titleOf } from '../runs/runEntry.ts';
import type { Elicit } from './askPerson.ts';
import { type ReadRuns, reportOf, reportsOf } from './readRuns.ts';
import { ServedRuns } from './servedRuns.ts';
import type { ToolHost } from './describeRun.ts';
import { servedTools } from './tools.ts';

/** UTF-16 units of one message; a longer one is answered with an error. */
const longestMessage = 1_000_000;
/** Calls that are answered at one time. */
const mostCalls = 32;
/** How long a person may take for an answer, in milliseconds. */
const personMs = 60 * 60_000;
const mostResources = 50;
/** Of what a resource's address says: the run. */
const reportAddress = /^research:\/\/(\d{8}-\d{6}-[0-9a-f]{6})\/report\.md$/;

const instructions = `Deep research with checkable citations. start_research begins a run and returns its id; call get_research with waitSeconds until its state is finished. What it waits for is in the result: answer_research answers its questions; a plan and its cost is approved by the user alone. search_reports and search_workspace cost nothing: use them first.`;

export interface Served {
  readonly options: RunOptions;
  /** Arguments that repeat how the server was started. */
  readonly flags: readonly string[];
  readonly input: Readable;
  readonly output: Writable;
  /** Aborted when the process is asked to end. */
  readonly stop: AbortSignal;
}

/** Serves the protocol on two streams, until the input ends or `stop` is aborted. Runs in progress are left interrupted. */
export async function serve({ options, flags, input, output, stop }: Served): Promise<void> {
  const { settings } = readAllSettings(options.settings);
  const readable: ReadRuns = {
    runsFolder: options.runsFolder,
    workspaceFolder: options.workspaceFolder,
    showsFiles: settings['workspace.forModel'] === 'content',
    log: options.log,
  };
  const server = new Server(
    { name: 'deep-research', title: 'Deep Research', version: options.version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  const runs = new ServedRuns(options, () => elicitOf(server));
  answerCalls(server, { runs, readable, options, flags });
  answerResources(server, readable);
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  server.onclose = close;
  server.onerror = (error) => options.log.warn(`protocol: ${error.message}`);
  input.once('end', close).once('error', close);
  stop.addEventListener('abort', () => close(), { once: true });
  const bounded = boundedLines(input, ({ id, ...error }) => {
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  });
  await server.connect(new StdioServerTransport(bounded, output));
  await closed;
  await runs.leave();
  await server.close();
}

function answerCalls(server: Server, host: ToolHost): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: servedTools.map(({ name, title, description, input, annotations }) => ({
      ...{ name, title, description, annotations },
      inputSchema: z.toJSONSchema(input, { io: 'input' }) as { type: 'object' },
    })),
  }));
  let calls = 0;
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, _meta, sendNotification }) => {
    const tool = servedTools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name.slice(0, 100)}".`);
    if (calls >= mostCalls)
      return failed(new ResearchError('badRequest', 'Too many calls at one time.', { next: 'Call it again later.' }));
    calls += 1;
    let lines = 0;
    const progress = (message: string): void => {
      const progressToken = _meta?.progressToken;
      lines += 1;
      if (progressToken !== undefined)
        void sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress: lines, message: stripHidden(message) },
        }).catch(() => undefined);
    };
    try {
      const { text, structured } = await tool.run(host, params.arguments ?? {}, { signal, progress });
      return { content: [{ type: 'text', text: stripHidden(text) }], structuredContent: structured };
    } catch (error) {
      signal.throwIfAborted();
      return failed(ResearchError.from(error));
    } finally {
      calls -= 1;
    }
  });
}

/** For the model that called: what was wrong, and what to do. */
function failed({ message, next }: ResearchError): CallToolResult {
  return { content: [{ type: 'text', text: stripHidden(`${message} ${next}`.trim()) }], isError: true };
}

function answerResources(server: Server, readable: ReadRuns): void {
  const mimeType = 'text/markdown';
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      { uriTemplate: 'research://{id}/report.md', name: 'report', title: 'Report of a run', mimeType },
    ],
  }));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: reportsOf(readable)
      .slice(0, mostResources)
      .map((entry) => ({ uri: `research://${entry.run}/report.md`, name: titleOf(entry), mimeType })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const run = reportAddress.exec(uri)?.[1];
    const isKnown = run !== undefined && reportsOf(readable).some((entry) => entry.run === run);
    if (!isKnown) throw new McpError(ErrorCode.InvalidParams, `There is no report at ${uri.slice(0, 200)}.`);
    try {
      return { contents: [{ uri, mimeType, text: await reportOf(readable, run) }] };
    } catch (error) {
      throw new McpError(ErrorCode.InvalidRequest, ResearchError.from(error).message);
    }
  });
}

/** How a person at the client is asked; undefined where the client can't show a form. */
function elicitOf(server: Server): Elicit | undefined {
  if (!server.getClientCapabilities()?.elicitation) return undefined;
  return async (message, properties, signal) => {
    const requestedSchema = { type: 'object' as const, properties: { ...properties } };
    const given = await server.elicitInput({ message, requestedSchema }, { signal, timeout: personMs });
    return { action: given.action, content: given.content };
  };
}

/** Why a line is no message of the protocol. */
interface Fault {
  /** Of the request, as far as it is seen. */
  readonly id: string | number | null;
  readonly code: ErrorCode;
  readonly message: string;
}

const requestSchema = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.string(),
  params: z.unknown().optional(),
});
const objectSchema = z.record(z.string(), z.unknown()).optional();

/** What the parameters of a request have to be. */
const needs: Readonly<Record<string, readonly [z.ZodType, string]>> = {
  'tools/call': [
    CallToolRequestSchema.shape.params,
    'an object with the "name" of a tool and its "arguments", an object',
  ],
  'resources/read': [ReadResourceRequestSchema.shape.params, 'an object with the "uri" of a report'],
};

/** What is wrong with a line, so that whoever sent it is answered; undefined for a message, and for a blank line. */
function faultOf(line: string): Fault | undefined {
  if (line.trim() === '') return undefined;
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return { id: null, code: ErrorCode.ParseError, message: 'The line is not JSON.' };
  }
  const request = requestSchema.safeParse(given).data;
  if (request) {
    const { id, method, params } = request;
    const [schema, what] = (Object.hasOwn(needs, method) && needs[method]) || [objectSchema, 'an object'];
    if (!schema.safeParse(params).success)
      return { id, code: ErrorCode.InvalidParams, message: `The "params" of ${method.slice(0, 100)} must be ${what}.` };
  }
  const isMessage = JSONRPCMessageSchema.safeParse(given).success;
  return isMessage
    ? undefined
    : { id: request?.id ?? null, code: ErrorCode.InvalidRequest, message: 'The line is no message of JSON-RPC 2.0.' };
}

function tooLong(text: string): Fault {
  return {
    id: idIn(text),
    code: ErrorCode.InvalidRequest,
    message: `A message has at most ${longestMessage} characters.`,
  };
}

/** The lines of the input that are messages, or blank: `refuse` is called for every other one. */
function boundedLines(input: Readable, refuse: (fault: Fault) => void): PassThrough {
  const lines = new PassThrough();
  let rest = '';
  let isDropping = false;
  input.setEncoding('utf8').on('data', (piece: string) => {
    const parts = piece.split('\n');
    parts.forEach((part, index) => {
      rest += part;
      if (rest.length > longestMessage) isDropping = true;
      if (isDropping && rest.length > 2 * idWithin) rest = rest.slice(0, idWithin) + rest.slice(-idWithin);
      if (index === parts.length - 1) return;
      const fault = isDropping ? tooLong(rest) : faultOf(rest);
      if (fault === undefined) lines.write(`${rest}\n`);
      else refuse(fault);
      isDropping = false;
      rest = '';
    });
  });
  input.once('end', () => lines.end());
  return lines;
}

/** How far from the beginning or the end of a request its id is looked for, in UTF-16 units. */
const idWithin = 1_000;

/** The id of a request, which clients write before its parameters or after them. */
function idIn(text: string): string | number | null {
  const found = /"id"\s*:\s*(\d{1,15}|"[\w-]{1,64}")/.exec(text)?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}

/** Nothing but the protocol is written to the output: what a library prints goes where people look. */
export function protocolOutput(): Writable {
  const { stdout, stderr } = process;
  const output = new PassThrough();
  const write = stdout.write.bind(stdout);
  output.on('data', (chunk: Buffer) => void write(chunk));
  stdout.write = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof stdout.write;
  return output;
}
