import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readQuestionFile } from '../../src/batch/questionFile.ts';
import { QueueLog } from '../../src/batch/queueLog.ts';
import { builtIn } from '../../src/catalogue.ts';
import { mergeReports } from '../../src/files/mergeReports.ts';
import { knownOfReport } from '../../src/files/readVersions.ts';
import { readToolInput } from '../../src/host/chat/toolInput.ts';
import { classifyFailure } from '../../src/models/classifyError.ts';
import { readList } from '../../src/models/http/listModels.ts';
import { withFolderRules } from '../../src/node/folderRules.ts';
import { readReviewAnswer } from '../../src/node/terminalAnswers.ts';
import { panelMessageSchema } from '../../src/protocol/messages.ts';
import { readerMessageSchema } from '../../src/protocol/readerMessages.ts';
import { reportDocx } from '../../src/research/export/reportDocx.ts';
import { reportHtml } from '../../src/research/export/reportHtml.ts';
import { foreignReaders } from '../support/foreignReaders.ts';
import { savedRecord } from '../support/savedRun.ts';
import type { Target } from './targets.ts';

const marks = [
  '# ',
  '\n\n',
  '\n- ',
  '\n1. ',
  '\n> ',
  '```',
  '`',
  '**',
  '_',
  '[',
  '](',
  '![',
  '<',
  '|',
  '\\',
  '&',
  '$$',
];
const cited = [
  '[[1]](#ref-1)',
  '[1]',
  '## References\n\n',
  '- <a id="ref-1"></a>[1] ',
  'https://a.example/x',
  '\r\n',
  ' ',
];
const json = [...'{}[]:,"\\', 'true', 'null', '1e9', '-', '"a":', '\n', '//', '/*', '*/', '\\u0000', ' '];

/** Runs with a folder in which the text is a file. */
async function inFile<T>(name: string, text: string, run: (folder: string, file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'deep-research-fuzz-'));
  try {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return await run(folder, file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What reads text from outside and has no format of its own among the first targets. */
export const moreTargets: readonly Target[] = [
  {
    name: 'every reader of foreign text',
    tokens: [
      ...marks,
      ...cited,
      ...json,
      '---\n',
      '12. Mai 2024',
      'US$ 3.5 bn',
      '४२',
      '2005.11401',
      '@article{',
      '东京',
    ],
    async run(text) {
      for (const [name, read] of Object.entries(foreignReaders))
        try {
          await read(text);
        } catch (error) {
          throw new Error(name, { cause: error });
        }
    },
    longest: 20_000,
  },
  {
    name: 'an edited report that is merged',
    tokens: [
      ...marks,
      ...cited,
      '## A\n\n',
      'One. ',
      'Two. ',
      '---\ntitle: x\n---\n',
      '## How this report was made\n\n',
    ],
    run(text) {
      const third = Math.ceil(text.length / 3);
      const [base, ours, theirs] = [0, 1, 2].map((at) => text.slice(at * third, (at + 1) * third));
      mergeReports(base!, ours!, theirs!);
      mergeReports(text, text, `${text}\n\n## A\n\nMore.`);
      return mergeReports(text, `${ours}${text}`, `${text}${theirs}`, { replaces: () => true });
    },
    longest: 20_000,
  },
  {
    name: 'an exported report',
    tokens: [
      ...marks,
      ...cited,
      '| a | b |\n| --- | --- |\n| 1 | 2 |\n',
      '---\ntitle: x\n---\n',
      '\0',
      '\ud800',
      '\ufffe',
    ],
    async run(text) {
      reportHtml(text, savedRecord());
      await reportDocx(text, savedRecord(), () => undefined);
    },
    longest: 20_000,
  },
  {
    name: 'a file of questions',
    tokens: [
      ...json,
      ...['{"question":"What?"}\n', '"id":', '"prompt":', '"settings":{', '"attachments":["../x"]', '"__proto__":'],
      ...['question,id\n', ';', '\t', '""', '\ufeff', '\r'],
    ],
    run: (text) => inFile('q.jsonl', text, (_, file) => readQuestionFile(file)),
    longest: 100_000,
  },
  {
    name: "a folder's settings file",
    tokens: [...json, '"deepResearch.', 'workspace.exclude":', '["**/', '"deepResearch":{', '\ufeff', '{a,', '(a+)+$'],
    run: (text) => inFile('.vscode/settings.json', text, (folder) => withFolderRules({}, folder, builtIn.settings)),
    longest: 100_000,
  },
  {
    name: 'the log of a queue',
    tokens: [...json, '{"type":"taken","id":"a"}\n', '"type":"reported"', '"figures":{"tokens":1', '"result":{', '\0'],
    run: (text) =>
      inFile('queue.ndjson', text, async (_, file) => {
        const seen: unknown[] = [];
        new QueueLog(file).read((entry) => seen.push(entry));
        return seen;
      }),
    longest: 300_000,
  },
  {
    name: "versions of a run's report",
    tokens: [...json, '"version":1', '"number":1', '"state":"waiting"', '"sources":{"1":"S3f9a1"}', '"statements":['],
    run: (text) =>
      inFile('versions/1.json', text, async (folder) => {
        await writeFile(join(folder, 'events.ndjson'), text);
        return knownOfReport(folder);
      }),
    longest: 300_000,
  },
  {
    name: 'errors and lists of a model server',
    tokens: [
      ...json,
      '"error":{',
      '"message":',
      '"code":',
      '"data":[{"id":"m"',
      '<html><title>',
      'Retry after ',
      '9 s',
    ],
    run(text) {
      readList(text);
      const context = { host: 'a.example', model: 'm' };
      return [400, 429, 500].map((status) =>
        classifyFailure({ status, headers: { 'retry-after': text.slice(0, 50) }, body: text }, context),
      );
    },
    longest: 300_000,
  },
  {
    name: 'messages of a view, a tool call and an answer to a review',
    tokens: [
      ...json,
      '"type":"',
      'start"',
      'openLink"',
      '"url":"command:',
      's2, s3: ',
      '; ',
      '"resume":"../',
      '"__proto__":',
    ],
    run(text) {
      const value = parsed(text);
      panelMessageSchema.safeParse(value);
      readerMessageSchema.safeParse(value);
      try {
        readToolInput(value);
      } catch (error) {
        // Its words are for the model that called.
        if (!(error instanceof Error) || error.constructor !== Error) throw error;
      }
      const sections = Array.from({ length: 3 }, (_, index) => ({ id: `s${index + 1}`, title: 'x' }));
      const review = { overallScore: 5, isSufficient: false, gaps: [] };
      return readReviewAnswer(text, { review, retry: ['s1'], sections });
    },
    longest: 100_000,
  },
];
