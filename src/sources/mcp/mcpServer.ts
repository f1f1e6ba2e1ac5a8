import { homedir } from 'node:os';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { atMost, untilAborted, within } from '../../research/calls/waiting.ts';
import { ResearchError } from '../../research/errors.ts';
import { plainText } from '../../research/evidence/metadata.ts';
import type { Log } from '../../research/ports.ts';
import type { Settings } from '../../research/settings/config.ts';
import { boundedFetch } from '../http/boundedFetch.ts';
import type { ListedFunction } from './allowedTools.ts';
import type { OutsideAnswer } from './outsideDocuments.ts';
import type { OutsideFunction } from './outsideTool.ts';
import { sha256 } from '../../research/text/digest.ts';
import { isRecord } from '../../research/text/json.ts';

/** A server as the user's settings name it. */
export type McpServerSettings = Settings['mcpServers'][string];

/** Time to start and to list the tools, and for one call. */
const startMs = 10_000;
const callMs = 60_000;
/** How long a server may take to end after it was asked to. */
const endMs = 1_000;
const mostTools = 64;
/** UTF-16 units of a tool's name (MCP specification, server features, tools). */
const longestToolName = 128;
const mostPages = 20;
/** Bytes of one message, and of all that a server sends between two usable messages. */
const mostMessage = 10_000_000;
const mostLines = 40_000_000;

interface Live {
  readonly client: Client;
  readonly transport: Transport;
  /** Why the connection ended; undefined while it is open. */
  ended?: string;
}

/** One MCP server in one run. It is started on the first use; one that ends is started again once. */
export class McpServer {
  readonly name: string;
  readonly #settings: McpServerSettings;
  readonly #log: Log;
  readonly #version: string;
  #live: Promise<Live> | undefined;
  #restarts = 0;

  constructor(name: string, settings: McpServerSettings, version: string, log: Log) {
    this.name = name;
    this.#settings = settings;
    this.#version = version;
    this.#log = log;
  }

  /** What the server offers now; what it offers later in the run changes nothing. Rejects with a `ResearchError`. */
  async functions(signal: AbortSignal): Promise<readonly ListedFunction[]> {
    const late = (): ResearchError => this.#unusable(`did not list its tools within ${startMs / 1000} s`, 'timeout');
    try {
      return await untilAborted(within(startMs, this.#list(signal), late), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw ResearchError.is(error) ? error : this.#unusable(`could not list its tools: ${wordsOf(error)}`, 'network');
    }
  }

  /** Ends the server. Never rejects; a process that does not end is killed. */
  async close(): Promise<void> {
    const live = this.#live;
    this.#live = undefined;
    this.#restarts = Number.POSITIVE_INFINITY;
    if (live === undefined) return;
    await atMost(startMs, live);
    await live.then(end, () => undefined);
  }

  async #list(signal: AbortSignal): Promise<readonly ListedFunction[]> {
    const { client } = await this.#open(signal);
    const found: ListedFunction[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages && found.length < mostTools; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const listed = await client.request({ method: 'tools/list', params }, ResultSchema, { signal, timeout: startMs });
      for (const tool of recordsOf(listed['tools'])) {
        const { name, description, inputSchema } = tool;
        if (typeof name !== 'string' || name.length > longestToolName || found.some((one) => one.name === name))
          continue;
        if (found.length >= mostTools) break;
        const annotations = isRecord(tool['annotations']) ? tool['annotations'] : {};
        // Without an annotation a tool may change and destroy things (MCP specification, schema, ToolAnnotations).
        const isReadOnly = annotations['readOnlyHint'] === true && annotations['destructiveHint'] !== true;
        const call: OutsideFunction['call'] = (args, signal) => this.#call(name, args, isReadOnly, signal);
        const said = jsonOf([description, inputSchema, annotations]);
        if (said === undefined) continue;
        found.push({
          ...{ name, inputSchema, isReadOnly, call },
          description: typeof description === 'string' ? description : '',
          digest: sha256(said),
        });
      }
      const next: unknown = listed['nextCursor'];
      if (typeof next !== 'string') break;
      cursor = next;
    }
    return found;
  }

  async #call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    isReadOnly: boolean,
    signal: AbortSignal,
  ): ReturnType<OutsideFunction['call']> {
    const warnings: string[] = [];
    for (;;) {
      let live: Live | undefined;
      try {
        live = await untilAborted(this.#open(signal), signal);
        const request = { method: 'tools/call', params: { name: tool, arguments: { ...args } } };
        const options = { signal, timeout: callMs, maxTotalTimeout: callMs };
        const answering = live.client.request(request, ResultSchema, options);
        return { ...answerOf(await untilAborted(answering, signal)), warnings };
      } catch (error) {
        signal.throwIfAborted();
        const died = live?.ended;
        if (died === undefined) throw this.#failed(tool, error);
        this.#live = undefined;
        const isLast = this.#restarts >= 1;
        this.#restarts += 1;
        if (isLast)
          throw this.#unusable(`ended again (${died}) and is not started a third time in this run`, 'network');
        this.#log.warn(`The MCP server ${this.name} ended (${died}).`);
        const effect = `ended during the call of ${tool}; it may have had its effect and is not repeated`;
        if (!isReadOnly) throw this.#unusable(effect, 'network');
        warnings.push(`The server ${this.name} ended during a call and was started again.`);
      }
    }
  }

  #open(signal: AbortSignal): Promise<Live> {
    signal.throwIfAborted();
    if (this.#restarts > 1) return Promise.reject(this.#unusable('is not used any more in this run', 'network'));
    if (this.#live === undefined) {
      const live = this.#connect();
      this.#live = live;
      live.catch(() => this.#live === live && (this.#live = undefined));
    }
    return this.#live;
  }

  async #connect(): Promise<Live> {
    const transport = this.#transport();
    // Nothing that a server could ask for is declared. Results are read here: no schema from a server is compiled.
    const client = new Client({ name: 'deep-research', version: this.#version }, { capabilities: {} });
    const live: Live = { client, transport };
    client.onclose = () => (live.ended ??= 'its connection closed');
    client.onerror = (error) => this.#log.debug(`MCP ${this.name}: ${plainText(error.message, 200)}`);
    const late = (): ResearchError => this.#unusable(`did not start within ${startMs / 1000} s`, 'timeout');
    try {
      await within(startMs, client.connect(transport, { timeout: startMs }), late);
    } catch (error) {
      void end(live);
      throw ResearchError.is(error) ? error : this.#unusable(`could not be started: ${wordsOf(error)}`, 'network');
    }
    if (transport instanceof StdioClientTransport) this.#limit(transport, live);
    return live;
  }

  #transport(): Transport {
    const server = this.#settings;
    if ('url' in server) {
      // Headers hold keys: they go to this address and follow no redirect.
      return new StreamableHTTPClientTransport(new URL(server.url), {
        fetch: boundedFetch(mostLines),
        requestInit: { headers: { ...server.headers }, redirect: 'error' },
      });
    }
    const transport = new StdioClientTransport({
      command: server.command,
      args: [...server.args],
      env: { ...getDefaultEnvironment(), ...server.env },
      stderr: 'pipe',
      // Not the open folder: a program that lies there must not be found first.
      cwd: homedir(),
      maxBufferSize: mostMessage,
    });
    let logged = 0;
    transport.stderr?.on('data', (chunk: Buffer) => {
      if (logged > 20_000) return;
      logged += chunk.length;
      this.#log.trace(`MCP ${this.name}: ${plainText(chunk.toString('utf8').slice(0, 4_000), 1_000)}`);
    });
    return transport;
  }

  /** A server that floods its output with what is no message is ended. */
  #limit(transport: StdioClientTransport, live: Live): void {
    let bad = 0;
    const { onmessage, onerror } = transport;
    transport.onmessage = (message) => {
      bad = 0;
      onmessage?.(message);
    };
    transport.onerror = (error) => {
      bad += 1;
      if (bad > 1_000) {
        live.ended = 'its output is no protocol';
        void end(live);
      }
      onerror?.(error);
    };
  }

  #failed(tool: string, error: unknown): ResearchError {
    if (ResearchError.is(error)) return error;
    const isLate = isRecord(error) && error['code'] === -32001;
    return isLate
      ? this.#unusable(`did not answer ${tool} within ${callMs / 1000} s`, 'timeout')
      : new ResearchError('badRequest', `${this.name} refused the call of ${tool}: ${wordsOf(error)}.`, {
          next: 'Correct the arguments, or use another tool.',
        });
  }

  #unusable(what: string, reason: 'network' | 'timeout'): ResearchError {
    return new ResearchError(reason, `The MCP server ${this.name} ${what}.`, {
      next: 'Check deepResearch.mcpServers in the settings, or use the other sources.',
    });
  }
}

/** Asks the server to end, then kills its process. */
async function end({ client, transport }: Live): Promise<void> {
  const pid = transport instanceof StdioClientTransport ? transport.pid : null;
  await atMost(endMs, client.close());
  if (pid === null) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** The result of a call, as far as it is text. What the server sends is not trusted to fit its own schema. */
function answerOf(result: unknown): OutsideAnswer {
  const { content, structuredContent, isError } = isRecord(result) ? result : {};
  const blocks = recordsOf(content).slice(0, 200);
  const texts: string[] = [];
  const links: { title: string; url: string }[] = [];
  let dropped = 0;
  for (const block of blocks) {
    const { resource, text, uri, name } = block;
    const embedded = isRecord(resource) ? resource['text'] : undefined;
    if (typeof text === 'string') texts.push(text);
    else if (typeof embedded === 'string') texts.push(embedded);
    else if (typeof uri === 'string') links.push({ title: typeof name === 'string' ? name : uri, url: uri });
    else dropped += 1;
  }
  if (texts.length === 0 && structuredContent !== undefined) {
    const text = jsonOf(structuredContent);
    if (text === undefined) dropped += 1;
    else texts.push(text);
  }
  return { texts, links, dropped, isError: isError === true };
}

/** Undefined for what is nested too deeply to be written. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function wordsOf(error: unknown): string {
  return plainText(error instanceof Error ? error.message : 'unknown reason', 200).replace(/\.$/, '');
}

function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
