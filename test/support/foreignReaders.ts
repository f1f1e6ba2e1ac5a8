import { findAddresses } from '../../src/markdown/addresses.ts';
import { oneLine, stripHidden } from '../../src/markdown/hidden.ts';
import { parseInlines } from '../../src/markdown/parseInlines.ts';
import { readDocument } from '../../src/markdown/readDocument.ts';
import { writeInlines } from '../../src/markdown/writeInlines.ts';
import { judgedTexts, presentIn } from '../../src/files/findStatements.ts';
import { sourcesIn } from '../../src/files/references.ts';
import { evidenceOfSidecar } from '../../src/files/sidecarText.ts';
import { runOfReport } from '../../src/host/reports/reportText.ts';
import { afterThinking } from '../../src/models/thinking.ts';
import { maskSecrets, redact } from '../../src/protocol/redact.ts';
import { emptyView, reduceRun } from '../../src/protocol/reduceRun.ts';
import { looseValues } from '../../src/research/analyst/llm/looseJson.ts';
import { namedIn } from '../../src/research/evidence/namedIn.ts';
import { readSigns } from '../../src/research/policy/signs.ts';
import { notebookText } from '../../src/node/notebookText.ts';
import { CitationWriter, cutSentences } from '../../src/research/evidence/citations.ts';
import { claimsIn, heldIn } from '../../src/research/evidence/exact.ts';
import { paperTitleIdentities } from '../../src/research/evidence/titleIdentity.ts';
import { modelCard } from '../../src/sources/huggingface/huggingfaceDocuments.ts';
import { plainMarkup } from '../../src/sources/scholarly/paperRecord.ts';
import { arxivIdOf } from '../../src/research/evidence/paperIdentity.ts';
import { addressIdentity } from '../../src/research/evidence/addressIdentity.ts';
import { plainDate, plainText } from '../../src/research/evidence/metadata.ts';
import { inertLine, literalNodes, safeUrl, titleNodes } from '../../src/research/evidence/neutralize.ts';
import { nearestGround } from '../../src/research/evidence/grounds.ts';
import { quantitiesOf } from '../../src/research/evidence/quantities.ts';
import { holdsQuote, normalizeForQuote } from '../../src/research/evidence/quotes.ts';
import type { Source } from '../../src/research/evidence/source.ts';
import { hasQuote, speaksOf } from '../../src/research/evidence/support.ts';
import { quoteBlock, verbatimPassage } from '../../src/research/evidence/verbatim.ts';
import { cslItems } from '../../src/research/export/cslItems.ts';
import { bibtex } from '../../src/research/export/bibtex.ts';
import { readReport } from '../../src/research/export/frontMatter.ts';
import { personName } from '../../src/research/export/personName.ts';
import { citedSources } from '../../src/research/export/references.ts';
import { reportHtml } from '../../src/research/export/reportHtml.ts';
import { outlineReport } from '../../src/research/analyst/llm/outlineReport.ts';
import { reportFile, reportFileName } from '../../src/research/report/reportFile.ts';
import { isConclusionHeading, isReferenceHeading } from '../../src/research/languages/headings.ts';
import { detectLanguage } from '../../src/research/text/language.ts';
import { withoutModelMarks } from '../../src/research/analyst/llm/modelMarks.ts';
import { PassageIndex } from '../../src/research/text/passageIndex.ts';
import { cutPassages } from '../../src/research/text/passages.ts';
import { readQuery } from '../../src/research/text/query.ts';
import { selectPassages } from '../../src/research/text/selectPassages.ts';
import { settledLength, splitSentences } from '../../src/research/text/sentences.ts';
import { terms, termsOf, tokenize, tokensOf } from '../../src/research/text/tokenize.ts';
import { saysTooMany, unusableReason } from '../../src/sources/arxiv/arxivFeed.ts';
import { findArxivIds, parseArxivId } from '../../src/sources/arxiv/arxivId.ts';
import { readSyntax } from '../../src/sources/arxiv/arxivQuery.ts';
import { latexText } from '../../src/sources/arxiv/latexText.ts';
import { cleanReadme } from '../../src/sources/github/cleanReadme.ts';
import { findGithubRepos, parseGithubRepo } from '../../src/sources/github/githubRepo.ts';
import { bibtexFields } from '../../src/sources/workspace/bibtex.ts';
import { packagesOf } from '../../src/sources/workspace/manifests.ts';
import { savedRecord } from './savedRun.ts';

const source = (text: string): Source => ({
  id: 'S3f9a1',
  kind: 'web',
  identity: 'url:https://a.example/x',
  title: text.slice(0, 200),
  authors: [],
  retrievedAt: '2026-01-01',
  facts: [],
  alreadyCited: false,
  text,
});
const fileOf = (path: string) => ({ file: { path, firstLine: 1, lastLine: 1 } });
const nothing = { get: () => undefined, byUrl: () => undefined, candidates: [] };
const one = source('One 1 and two 2.');
const supported = { get: () => one, byUrl: () => undefined, candidates: [one] };
function written(text: string, evidence: typeof nothing | typeof supported = nothing): string {
  const writer = new CitationWriter(evidence, '');
  return writer.push(text) + writer.finish();
}

/** Every function that reads text of others. What is added to the product is added here. */
export const foreignReaders: Readonly<Record<string, (text: string) => unknown>> = {
  findAddresses,
  stripHidden,
  oneLine,
  parseInlines,
  readDocument,
  writeInlines: (text) =>
    writeInlines(
      [
        { type: 'text', text },
        { type: 'code', text },
      ],
      'cell',
    ),
  'a written report': written,
  'a written report with sources': (text) => written(text, supported),
  'a heading': (text) => written(`# ${text}\n`),
  'a table': (text) => written(`| a | b |\n|---|---|\n| ${text} | b |\n`),
  'a code block': (text) => written(`\`\`\`\n${text}\n\`\`\`\n`),
  'a marker': (text) => written(`Words [S3f9a1, ${text}]. More.\n`),
  'a report that streams': (text) => {
    const writer = new CitationWriter(nothing, '');
    let out = '';
    for (let at = 0; at < text.length; at += 97) out += writer.push(text.slice(at, at + 97));
    return out + writer.finish();
  },
  cutSentences: (text) => cutSentences(text.slice(0, 2_000), true),
  splitSentences,
  settledLength,
  arxivIdOf,
  modelCard,
  plainMarkup,
  paperTitleIdentities: (text) => paperTitleIdentities(text, [text]),
  addressOfRepository: (text) => addressIdentity(`https://github.com/${text}`),
  addressIdentity: (text) => addressIdentity(`https://a.example/${text}`),
  plainDate,
  plainText: (text) => plainText(text, 200),
  inertLine,
  literalNodes,
  titleNodes,
  safeUrl: (text) => safeUrl(`https://a.example/${text}`),
  normalizeForQuote,
  'a short quote in a long text': (text) => holdsQuote('one of two, three … of four and five', text),
  'a long quote': (text) => holdsQuote(text, `x${text}`),
  claimsIn,
  heldIn,
  quantitiesOf,
  nearestGround: (text) => nearestGround(source(text), 'In June 2020 one of 2 groups did not say more than 3 others.'),
  hasQuote: (text) => hasQuote(source(text), text.slice(1, 300)),
  speaksOf: (text) => speaksOf([source(text)], 'a.example'),
  bibliography: (text) =>
    bibtex(cslItems([{ ...source(''), title: text, authors: [text], aliases: [`arxiv:${text}`, text] }])),
  personName,
  readReport: (text) => readReport(`---\nquestion: "${text}"\n---\n${text}`),
  'an open front matter': (text) => readReport(`---\n${text}`),
  citedSources: (text) => citedSources(`## References\n\n- [1] ${text}\n`, [{ ...source(''), aliases: [] }], []),
  'a list in the export': (text) => reportHtml(`- a\n  - ${text}\n`, savedRecord()),
  outlineReport: (text) =>
    outlineReport(text, [
      { id: 's1', title: 'One of two' },
      { id: 's2', title: 'a' },
    ]),
  reportFile: (text) =>
    reportFile(
      { title: text, question: text, created: '', strategy: '', model: '', run: '', sources: 0, tokens: 0, cost: null },
      '',
    ),
  reportFileName: (text) => reportFileName('2026-01-01', text),
  isReferenceHeading,
  isConclusionHeading,
  detectLanguage,
  withoutModelMarks,
  'secrets of a text': (text) => maskSecrets(text),
  'secrets of a manifest': (text) => maskSecrets(`kind: Secret\npassword:\n${text}`),
  redact: (text) => redact(text, ['k3y-of-the-run']),
  tokenize,
  terms,
  readSyntax,
  unusableReason,
  saysTooMany,
  findArxivIds,
  parseArxivId,
  latexText,
  cleanReadme,
  findGithubRepos,
  parseGithubRepo: (text) => parseGithubRepo(text),
  bibtexFields,
  'a BibTeX entry': (text) => bibtexFields(`@article{a, title = {${text}}, note = "${text}"}`),
  'a package.json': (text) => packagesOf('package.json', text),
  'a pyproject.toml': (text) => packagesOf('pyproject.toml', text),
  'a requirements.txt': (text) => packagesOf('requirements.txt', text),
  'a go.mod': (text) => packagesOf('go.mod', text),
  'a Cargo.toml': (text) => packagesOf('Cargo.toml', text),
  'words of a text': (text) => tokensOf(text).map(termsOf),
  readQuery: (text) => readQuery(text),
  ...Object.fromEntries(
    ['a.md', 'a.txt', 'a.ts', 'a.yaml', 'a.csv', 'a.bib'].flatMap((path): [string, (text: string) => unknown][] => [
      [`passages of ${path}`, (text: string) => cutPassages(path, text)],
      [`a quotation of ${path}`, (text: string) => verbatimPassage({ ...source(text), ...fileOf(path) }, text, 1)],
    ]),
  ),
  'a quotation of a page': (text) => written(quoteBlock('S3f9a1', text), supported),
  'a search in a text': (text) => {
    const index = new PassageIndex();
    index.add('a.md', '', [{ form: 'prose', firstLine: 1, lastLine: 1, headings: [], text }]);
    return index.search(readQuery('one of two, a and b'), 5);
  },
  'the statements of a report': (text) => {
    const cited = `${text} [1]\n\n${text.slice(0, 1_000)} [1]\n\n- [1] ${text}\n`;
    const sidecar = [1, 2, 30, 400].map((length) => `${text.slice(0, length)} [1] — *supported*\n\n> ${text}\n\n`);
    const statements = evidenceOfSidecar(`${sidecar.join('')}${text}`);
    return [judgedTexts(cited, statements), presentIn(text, statements)];
  },
  'the references of a report': (text) => sourcesIn(`- [1] ${text}\n${text}`),
  'the run of a report': (text) => runOfReport(`---\n${text}`),
  looseValues,
  'what follows thinking': (text) => afterThinking(`<think>${text}</think>`),
  notebookText,
  readSigns: (text) => readSigns(text),
  namedIn,
  reportHtml: (text) => reportHtml(text, savedRecord()),
  'events of a run': (text) => {
    let view = emptyView();
    for (let seq = 0; seq * 50 < text.length; seq += 1) {
      const delta = text.slice(seq * 50, seq * 50 + 50);
      view = reduceRun(view, {
        v: 1,
        run: 'r1',
        seq,
        at: '',
        type: 'report/delta',
        offset: seq * 50,
        text: delta,
      } as never);
    }
    return view;
  },
  'a selection of passages': (text) => {
    const passage = { form: 'prose', firstLine: 1, lastLine: 1, headings: [], text } as const;
    const candidate = { siblings: [passage], number: 0, score: 1 };
    const both = [
      { ...candidate, path: 'a.md' },
      { ...candidate, path: 'v1/a.md' },
    ];
    return selectPassages(readQuery('one of two'), both, 5);
  },
};
