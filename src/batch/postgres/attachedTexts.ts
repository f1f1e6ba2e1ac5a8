import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { parseJson } from '../../protocol/json.ts';
import type { Attachment } from '../../protocol/ports.ts';
import { ResearchError } from '../../research/errors.ts';
import type { QuestionFile } from '../questionFile.ts';
import type { BatchQuestion } from '../questionQueue.ts';
import type { Database } from './database.ts';
import { addFile, readFiles } from './runRows.ts';
import type { SharedQueue } from './sharedQueue.ts';

/** Of all texts of one command, in bytes. */
const mostBytes = 100_000_000;

/** What a question has attached, as a run on this machine reads it: its text, with secrets masked. */
const documentSchema = z.object({ name: z.string(), text: z.string() });
type AttachedText = z.infer<typeof documentSchema>;

/**
 * Stores what questions have attached in the queue's database, each text once, and gives the questions with names of these texts in place of
 * paths. Questions that the queue has already are left as they are. Rejects with `badRequest` when it is too much, and with what `read` does.
 */
export async function shareAttachments(
  database: Database,
  queue: SharedQueue,
  { name: batch, questions }: QuestionFile,
  read: (question: BatchQuestion) => Promise<readonly AttachedText[]>,
): Promise<readonly BatchQuestion[]> {
  const isAttached = ({ attachments = [] }: BatchQuestion): boolean => attachments.length > 0;
  if (!questions.some(isAttached)) return questions;
  const there = new Set<string>();
  for await (const { id } of queue.states()) there.add(id);
  const stored = new Set<string>();
  let bytes = 0;
  const shared: BatchQuestion[] = [];
  for (const question of questions) {
    if (!isAttached(question) || there.has(question.id)) {
      shared.push(question);
      continue;
    }
    const attachments: string[] = [];
    for (const text of await read(question)) {
      const data = Buffer.from(JSON.stringify(text));
      const name = createHash('sha256').update(data).digest('hex');
      attachments.push(name);
      if (stored.has(name)) continue;
      bytes += data.length;
      if (bytes > mostBytes)
        throw new ResearchError(
          'badRequest',
          `The attachments have more than ${mostBytes / 1e6} MB of text together.`,
          {
            next: 'Divide the file of questions, or put the documents into the folder that the workers research.',
          },
        );
      await addFile(database, holderOf(batch), name, data);
      stored.add(name);
    }
    shared.push({ ...question, attachments });
  }
  return shared;
}

/** The texts of a question. No path of this machine is read, whatever the database says. Rejects with `storage` for one that it lacks. */
export function attachedTexts(
  database: Database,
  batch: string,
  { attachments = [] }: BatchQuestion,
): Promise<Attachment[]> {
  return Promise.all(
    attachments.map(async (name) => {
      const files = await readFiles(database, holderOf(batch), name);
      const read = documentSchema.safeParse(parseJson(files.get(name)?.toString() ?? ''));
      if (!read.success) throw new ResearchError('storage', 'The queue does not have what the question has attached.');
      // As a name that is no path, two files of one name in different folders stay two.
      return {
        path: read.data.name.replaceAll(/[\\/:]+/g, ' ').trim(),
        excerpt: { text: read.data.text, firstLine: 1 },
      };
    }),
  );
}

/** In place of a run, which no run is called. */
function holderOf(batch: string): string {
  return `attached ${batch}`;
}
