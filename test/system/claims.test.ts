import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { research } from '../../src/engine.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { places } from '../support/floorRuns.ts';
import { startModelServer, type Script } from '../support/modelServer.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import type { rightVerdict } from '../support/rightReader.ts';
import { verdictsOf } from '../support/rightReader.ts';
import { ofType, silentLog } from '../support/scriptedParts.ts';
import { plainMarks } from '../support/plainMarks.ts';

const place = places[1]!;
const lie = 'Spraying is not the last resort, because it never sets the wasps back';

interface Read {
  readonly report: string;
  readonly events: readonly ResearchEvent[];
  /** Stored texts of the sources, by id. */
  readonly evidence: ReadonlyMap<string, string>;
  readonly asked: number;
}

/** A whole run with an imitated model; `reader` answers as the second reader. */
async function run(folder: string, settings: Readonly<Record<string, unknown>>, script?: Script): Promise<Read> {
  const runsFolder = temporaryFolder('claims');
  const server = await startModelServer({ pieceLength: 200, ...(script ? { script } : {}) });
  const events: ResearchEvent[] = [];
  try {
    const { report, run: id } = await research({
      question: place.questions.sections,
      settings: {
        ...{ strategy: 'sections', 'sources.enabled': ['workspace'], planApproval: 'never', clarification: 'off' },
        ...{ 'model.baseUrl': server.url, 'model.name': 'imitation-1', 'limits.idleSeconds': 600, ...settings },
      },
      workspaceFolder: folder,
      runsFolder,
      secrets: { key: async () => undefined },
      log: silentLog,
      version: 'test',
      saveTo: { save: () => Promise.resolve(undefined) },
      onEvent: (event) => events.push(event),
    });
    const stored = path.join(runsFolder, id, 'evidence');
    const evidence = new Map(
      fs.readdirSync(stored).map((name) => [path.parse(name).name, fs.readFileSync(path.join(stored, name), 'utf8')]),
    );
    return { report, events, evidence, asked: server.requests.filter(({ step }) => step === 'verify').length };
  } finally {
    await server.close();
    removeFolder(runsFolder);
  }
}

const claimsOf = ({ events }: Read) => ofType(events, 'report/claim');
/** The report without the account of how it was made, as the panel shows it. */
function shownOf({ events }: Read): string {
  return ofType(events, 'report/delta').reduce((text, { offset, text: added }) => text.slice(0, offset) + added, '');
}
const bodyOf = (read: Read): string => shownOf(read).replace(/\n## References\n[\s\S]*/, '');
const accountOf = ({ report }: Read): string => report.split(/^Cited statements: |^- Cited statements: /m)[1] ?? '';
const words = (text: string): string =>
  plainMarks(text)
    .replace(/\[\d+\]|[^\p{L}\p{N}]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();

/** Adds an untrue sentence with a true number to what is written around the sections. */
const lying: Script = (request) => {
  if (request.step !== 'frame') return undefined;
  const id = /Spraying is the last resort[^[]*\[(F\d+|S[0-9a-f]{5,})\]/.exec(request.prompt)?.[1] ?? '';
  return { json: { title: 'Greenhouse', summary: `${lie} [${id}].`, analysis: '', conclusion: '' } };
};

describe('the statements of a report', () => {
  let folder: string;
  before(() => {
    folder = place.make();
  });
  after(() => removeFolder(folder));

  it('carry their passages, word for word, and where they stand', async () => {
    const read = await run(folder, {});
    const claims = claimsOf(read);
    assert.ok(claims.length > 3);
    assert.equal(new Set(claims.map(({ id }) => id)).size, claims.length);
    const shown = shownOf(read);
    for (const { passages, citations, offset, sentence, verdict, reason } of claims) {
      assert.ok(passages.length > 0 && citations.length > 0, sentence);
      assert.doesNotMatch(sentence, / [.,]/);
      for (const { source, text } of passages) assert.ok(read.evidence.get(source)?.includes(text), text);
      assert.ok(
        words(shown.slice(offset, offset + 2 * sentence.length + 40)).startsWith(words(sentence).slice(0, 30)),
        sentence,
      );
      assert.equal(reason === undefined, verdict !== 'unverified');
    }
    assert.ok(read.asked > 0);
    assert.match(accountOf(read), /A second reader compared each/);
    const [total = 0, ...parts] = (accountOf(read).split('\n')[0]!.match(/\d+/g) ?? []).map(Number);
    assert.equal(
      parts.reduce((sum, count) => sum + count, 0),
      total,
    );
  });

  it('are corrected where a reader finds that the passages say otherwise', async () => {
    const plain = await run(folder, { verification: 'off' }, lying);
    assert.ok(bodyOf(plain).includes(lie));
    assert.equal(plain.asked, 0);
    assert.ok(claimsOf(plain).every(({ verdict }) => verdict === 'quoted' || verdict === 'unverified'));
    const read = await run(folder, {}, lying);
    assert.ok(!bodyOf(read).includes(lie), bodyOf(read));
    assert.ok(claimsOf(read).some(({ verdict }) => verdict === 'supported' || verdict === 'corrected'));
  });

  const readers: Readonly<Record<string, Script>> = {
    'says that all is supported': reader(() => ({ verdict: 'supported', words: '', correction: '' })),
    'says that all is contradicted': reader(() => ({
      verdict: 'contradicted',
      words: '',
      correction: 'Nothing is known.',
    })),
    'answers by chance': reader((text) => {
      const verdict = (['supported', 'partly', 'contradicted', 'absent'] as const)[(text.length * 7919) % 4]!;
      return { verdict, words: '', correction: '' };
    }),
    'is silent': (request) => (request.step === 'verify' ? { text: '' } : undefined),
    'writes broken JSON': (request) =>
      request.step === 'verify' ? { text: '{"verdicts": [{"statement": 1, "verd' } : undefined,
  };
  for (const [name, script] of Object.entries(readers))
    it(`are as without a reader when the reader ${name}`, async () => {
      const [plain, read] = await Promise.all([run(folder, { verification: 'off' }), run(folder, {}, script)]);
      assert.equal(words(bodyOf(read)), words(bodyOf(plain)));
      const judged = claimsOf(read).filter(({ verdict }) => verdict !== 'quoted');
      assert.ok(judged.length > 0);
      for (const { verdict, reason } of judged)
        assert.ok(verdict === 'unverified' && (reason === 'controls' || reason === 'noAnswer'), `${verdict} ${reason}`);
    });
});

function reader(judge: typeof rightVerdict): Script {
  return (request) => (request.step === 'verify' ? { json: verdictsOf(request.prompt, judge) } : undefined);
}
