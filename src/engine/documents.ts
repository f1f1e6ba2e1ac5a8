import { openAttachments } from '../node/attachments.ts';
import type { ResearchCallbacks } from '../protocol/ports.ts';
import type { Settings } from '../research/settings/config.ts';
import { ResearchError } from '../research/errors.ts';
import type { RunParts } from '../research/runner/createRun.ts';
import type { SuppliedPort } from '../research/run/supplied.ts';
import type { RunOptions } from './runOptions.ts';

export async function readPdf(bytes: Uint8Array, signal: AbortSignal, isNamed = false): Promise<string> {
  const { readDocument } = await import('../sources/readers/readDocument.ts');
  return (await readDocument(bytes, 'application/pdf', '', signal, isNamed)).text;
}

/** What the user attached, as the settings let it be read. */
export async function attachedOf(
  { attached = [], workspaceFolder, signal }: RunOptions & ResearchCallbacks,
  settings: Settings,
): Promise<Pick<RunParts, 'attached'>> {
  if (attached.length === 0) return {};
  const reading = attachmentOptions({ workspaceFolder }, settings);
  return { attached: await openAttachments(attached, reading, signal ?? new AbortController().signal) };
}

/** Texts of pages that the user gives: those of a resumed run, and what comes while it runs. */
export function suppliedOf(
  { attached = [], resume, workspaceFolder, onTakePage }: RunOptions & ResearchCallbacks,
  settings: Settings,
): SuppliedPort {
  return {
    pages:
      resume === undefined
        ? []
        : attached.flatMap((page) => (page.url === undefined ? [] : { ...page, url: page.url })),
    async read(page, signal) {
      if (!URL.canParse(page.url) || !/^https?:/i.test(page.url))
        throw new ResearchError('badRequest', `${page.url.slice(0, 200)} is no address of a page.`, {
          next: 'Give the address of the page, beginning with https://.',
        });
      const port = await openAttachments([page], attachmentOptions({ workspaceFolder }, settings), signal);
      return port.read(port.names[0]!, signal);
    },
    ...(onTakePage && { offer: onTakePage }),
  };
}

function attachmentOptions({ workspaceFolder }: Pick<RunOptions, 'workspaceFolder'>, settings: Settings) {
  const readsWorkspace = settings['workspace.forModel'] === 'content';
  return { workspaceFolder, readsWorkspace, exclude: settings['workspace.exclude'], readPdf };
}
