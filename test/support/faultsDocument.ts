import { cells, faultNames, type Cell, type CellResult } from './faultTable.ts';
import { modelFaults, stepsOf, type FaultyStep } from './modelFaults.ts';
import type { Strategy } from '../../src/protocol/strategy.ts';
import { outsideFaults, sourceFaults, workspaceFaults } from './toolFaults.ts';

/** docs/faults.md: the words are written here, the outcomes are those of the runs. */

/** What becomes of the run when a step fails for good. */
const becomes: Readonly<Record<FaultyStep, string>> = {
  assess:
    'Done without the model, with a warning. At the first contact a wrong key, no quota, an unknown model, an unreachable server and a web page end the run with the message.',
  analyze: 'Done without the model, with a warning.',
  discoverer: 'The plan is made from the question alone; what had been found is used.',
  discover: 'The plan is made from the question alone.',
  plan: 'Done without the model, with a warning.',
  brief: 'Done without the model, with a warning.',
  supervise:
    'With findings, the report is written from them; without any, the topics are chosen by rules. When the lead delegates nothing usable, its brief is researched.',
  act: 'If the section found something, it continues with that; otherwise rules choose its searches, also in place of unusable calls. When nothing is found for any section, the question itself is searched.',
  distil: 'The section is given as quotes from its sources, in addition to what an earlier attempt found.',
  review: 'The report is written from what is there.',
  reflect: 'The report is written from what is there.',
  section: 'The section is given as it was found, or as quotes from its sources.',
  frame: 'The plan’s title and the program’s own conclusion stand around the sections.',
  critique: 'The draft is the report.',
  report: 'Complete sentences stay; every missing or incomplete section is given as it was distilled.',
};

/** What the program does about a fault before a step fails for good. */
const answers: Readonly<Record<string, string>> = {
  throws: 'A bug in the program: no retry. Its text goes to the log only.',
  'rate-limited':
    'All calls to the model wait in one queue, for 1, 2, 4, 8 and 16 s or as long as the server says; then one goes, and each answer lets one more go at a time.',
  'rate-limited for an hour': 'No retry. (A wait of up to 15 minutes pauses the run.)',
  '400': 'No retry, unless the error names a parameter that can be left out.',
  '500': 'Retried twice.',
  'web page': 'Retried twice; only the page’s title is reported.',
  hang: 'Times out after `limits.idleSeconds`, then retried once.',
  'broken stream':
    'Retried once; a section is written once more, a report is continued where it stopped, up to three times.',
  'silent stream': 'Times out after `limits.idleSeconds`, then retried once; a report is continued where it stopped.',
  'garbled stream': 'Retried once; a report is continued where it stopped.',
  'too long':
    'Shortened by the sizes that the error names, or to half of what was sent, and sent again, up to four times. A step whose shortest prompt is too long is done by rules.',
  filtered:
    'No retry of the same prompt. Sources that are refused are found by halving and left out; a turn is chosen by the notes alone; a section that can’t be written is given as it was found.',
  'no quota': 'No retry, and no further call to this model.',
  'wrong key': 'No retry, and no further call to this model.',
  'no model': 'No retry, and no further call to this model.',
  'malformed JSON':
    'Returned to the model with what is wrong, `limits.maxStructuredOutputRetries` times; not journalled, so that a resumed run asks again.',
  stopped: 'Every call ends at once; the run can be resumed.',
};

/** What the tables have in a cell: the outcome in every strategy that has the step. */
export type Outcomes = (cell: Pick<Cell, 'step' | 'fault' | 'mode'>) => string;

export const wordOf = ({ outcome }: CellResult): string => outcome.replace(/^one message: (\w+)$/, 'message');

export const outcomesOf =
  (results: readonly CellResult[]): Outcomes =>
  ({ step, fault, mode }) => {
    const found = results.filter(({ cell }) => cell.step === step && cell.fault === fault && cell.mode === mode);
    const words = new Set(found.map(wordOf));
    // Whether the section whose call fails has found something by then is up to the machine.
    if (step === 'act' && mode === 'one' && words.has('partial report')) words.add('report');
    return [...words].sort().join(' or ') || '–';
  };

export function outcomesIn(document: string): Outcomes {
  const tableOf = (mode: Cell['mode']): string[][] =>
    document
      .split(headings[mode])[1]!
      .split('\n## ')[0]!
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.slice(2, -2).split(' | '));
  const tables = { every: tableOf('every'), one: tableOf('one') };
  return ({ step, fault, mode }) =>
    tables[mode].find(([name]) => name === `\`${step}\``)?.[tables[mode][0]!.indexOf(fault)] ?? '–';
}

const headings = {
  every: '## Outcome when every call of a step fails',
  one: '## Outcome when one call of a step fails',
} as const;

export function faultsDocument(outcomes: Outcomes): string {
  const steps = [...new Set(Object.values(stepsOf).flat())];
  const matrix = (mode: Cell['mode'], faults: readonly string[]): string =>
    table(
      ['step', ...faults],
      steps.map((step) => [`\`${step}\``, ...faults.map((fault) => outcomes({ step, fault, mode }))]),
    );
  const struckOnce = faultNames.filter((name) => cells.some(({ fault, mode }) => fault === name && mode === 'one'));
  const strategiesOf = (step: FaultyStep): string =>
    (Object.keys(stepsOf) as Strategy[]).filter((strategy) => stepsOf[strategy].includes(step)).join(', ');
  return `# When something goes wrong

Whatever fails, a run ends in a report or in one clear message, nothing that was found is lost, and nothing that a failing
service returns becomes content. \`test/system/faults/\` runs the whole engine through the cells of these tables, \`npm test\` through a
sample that has every step and every fault, and \`npm run test:exhaustive\` through all of them. They show where this page is out of
date after a change in behaviour, and

    DEEP_RESEARCH_EXHAUSTIVE=1 FAULTS_DOCUMENT=write node --import ./test/support/register.mjs --test test/system/faults/modelFaults.test.ts

rewrites it. *report*: complete. *partial report*: written, and it says what is missing or only quoted. *message*: one
\`run/failed\` with its reason and what to do next; the run can be resumed, and completed calls are replayed, not repeated. A wrong
key, an unknown model and an unreachable server are reported within 10 s of the first call; a connection that is lost later
pauses the run, which continues by itself.

## When a step fails

${table(
  ['step', 'strategies', 'when it fails after all retries'],
  steps.map((step) => [`\`${step}\``, strategiesOf(step), becomes[step]]),
)}

## Faults of the model

${table(
  ['fault', 'what happens', 'what Deep Research does', 'reason in the message'],
  faultNames.map((name) => [name, whatIs(name), answers[name] ?? '', reasonsOf(name)]),
)}

${headings.every}

${matrix('every', faultNames)}

${headings.one}

${matrix('one', struckOnce)}

## Sources

A failed call is an observation for the researcher, in the source's words; the section and the account of the report state it
once, in ours. A host that refuses connections, or times out twice, is not asked again in the run. When every source fails, the
run ends as \`noEvidence\` with the first one's reason.

- arXiv and GitHub: ${Object.keys(sourceFaults).join(', ')}.
- The workspace: ${Object.keys(workspaceFaults).join(', ')}.
- Tools from outside: one that ${Object.keys(outsideFaults).join(', ')}. Documents are validated field by field;
  anything else is dropped, and texts are cut at a million characters. A tool that never answers times out after two minutes, or ends when the run is stopped.

## The disk

Full, read-only, gone or replaced by something else, at the start or in the middle, for each file of the run's folder: the run
continues in memory to its report, and warns once that it is not saved. A report that can't be saved to the workspace stays in the
run's folder and is shown: the command line prints it, the editor offers another place.
`;
}

function whatIs(name: string): string {
  return (
    modelFaults.find((fault) => fault.name === name)?.what ??
    (name === 'stopped' ? 'the user stops the run while the step is asking' : 'a TypeError inside the step')
  );
}

function reasonsOf(name: string): string {
  const reasons =
    modelFaults.find((fault) => fault.name === name)?.reasons ?? (name === 'stopped' ? ['abort'] : ['bug']);
  return reasons.map((reason) => `\`${reason}\``).join(', ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
