import { untilAborted } from '../../research/calls/waiting.ts';
import { plainText } from '../../research/evidence/metadata.ts';
import type { AllowTools } from '../../research/ports.ts';
import type { OutsideFunction } from './outsideTool.ts';

/** Names of tools that one warning shows, and their length. */
const mostShown = 8;
const longestShown = 60;
const longestDescription = 200;

/** A tool as its maker describes it now. */
export interface ListedFunction extends OutsideFunction {
  /** Of all that is said of it. */
  readonly digest: string;
}

export interface AllowedOptions {
  readonly allowTools: AllowTools | undefined;
  /** What the tools said of themselves when they were allowed, by server and name. */
  readonly digests: {
    read(): Promise<Readonly<Record<string, string>>>;
    add(entries: Readonly<Record<string, string>>): Promise<void>;
  };
}

/**
 * Without `named`, tools that declare to change nothing are on, and the user is asked about the others. With it, the named ones are on,
 * and the user is asked about those that describe themselves otherwise than when they were allowed.
 * @param server Undefined: they are the editor's own.
 * @returns `off`: why tools are off that no one decided on.
 */
export async function allowedTools(
  server: string | undefined,
  named: readonly string[] | undefined,
  functions: readonly ListedFunction[],
  { allowTools, digests }: AllowedOptions,
  signal: AbortSignal,
): Promise<{ readonly used: readonly ListedFunction[]; readonly off: string | undefined }> {
  const known = await digests.read();
  // No server's name has a colon.
  const keyOf = ({ name }: ListedFunction): string => `${server ?? 'editor:'} ${name}`;
  const candidates = functions.filter(({ name }) => named?.includes(name) ?? true);
  const asked = candidates.filter((one) =>
    named === undefined ? !one.isReadOnly : (known[keyOf(one)] ?? one.digest) !== one.digest,
  );
  let decided = named;
  if (asked.length > 0) {
    const tools = candidates.map((one) => ({
      name: one.name,
      description: plainText(one.description, longestDescription),
      isOn: !asked.includes(one),
    }));
    decided =
      allowTools &&
      (await untilAborted(allowTools({ server, tools, haveChanged: named !== undefined }, signal), signal));
  }
  const used = candidates.filter((one) => decided?.includes(one.name) ?? !asked.includes(one));
  const learnt = (decided ?? named) ? used.filter((one) => known[keyOf(one)] !== one.digest) : [];
  if (learnt.length > 0) await digests.add(Object.fromEntries(learnt.map((one) => [keyOf(one), one.digest])));
  return {
    used,
    off: asked.length > 0 && decided === undefined ? offOf(server, asked, named !== undefined) : undefined,
  };
}

/** Named by the setting that turns them on, because the server itself can be used. */
function offOf(server: string | undefined, asked: readonly ListedFunction[], haveChanged: boolean): string {
  const shown = asked.slice(0, mostShown).map(({ name }) => plainText(name, longestShown));
  const names = `${shown.join(', ')}${asked.length > mostShown ? ', …' : ''}`;
  if (server === undefined)
    return `Tools of the editor describe themselves otherwise than when they were picked, and are off: ${names}. Start a run in the editor, which asks about them again.`;
  return haveChanged
    ? `The MCP server ${server} has tools that describe themselves otherwise than when they were allowed, and are off: ${names}. Start a run in the editor or a terminal, which asks about them again.`
    : `The MCP server ${server} has tools that don't declare to change nothing, and are off: ${names}. Name those that may be used in deepResearch.mcpServers.${server}.tools.`;
}
