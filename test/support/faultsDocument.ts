import { faultNames, type CellResult } from './faultTable.ts';
import { modelFaults, stepsOf, type FaultyStep, type Strategy } from './modelFaults.ts';
import { outsideFaults, sourceFaults, workspaceFaults } from './toolFaults.ts';

/** docs/faults.md: the words are written here, the outcomes are those of the runs. */

/** What becomes of the run when a step fails for good. */
const becomes: Readonly<Record<FaultyStep, string>> = {
  assess: 'The run ends with the message: nothing has been done yet.',
  analyze: 'The run ends with the message; going on begins here.',
  discoverer: 'The plan is made from the question alone; what had been found is used.',
  discover: 'The plan is made from the question alone.',
  plan: 'The run ends with the message; going on begins here.',
  coordinate: 'Sections start without borders.',
  brief: 'The run ends with the message; going on begins here.',
  supervise:
    'With findings: the report is written from them. Before: the run ends with the message. A lead that delegates nothing usable has its brief researched.',
  act: 'The section fails alone, the others go on; with something found it goes on with that. All sections failed: the run ends with the first one’s reason. Calls that can’t be used are replaced by searches by rules.',
  distil: 'The section is given as quotes of its sources, beside what an earlier attempt had.',
  review: 'The report is written from what is there.',
  reflect: 'The report is written from what is there.',
  report:
    'Whole sentences that were written stay; every section that is missing, or half written, is given as it was distilled.',
};

/** What the program does about a fault before a step fails for good. */
const answers: Readonly<Record<string, string>> = {
  throws: 'A mistake in the program: nothing is asked again. Its words go into the log alone.',
  'rate-limited': 'Asked again after 1, 2, 4, 8 and 16 s, or when the server says.',
  'rate-limited for an hour': 'Not waited for. (A wait of up to a quarter of an hour pauses the run.)',
  '400': 'Not asked again, unless the refusal names a parameter that can be left out.',
  '500': 'Asked again twice.',
  'web page': 'Asked again twice; of the page nothing but its title is told.',
  hang: 'Given up after `limits.idleSeconds` and asked once more.',
  'broken stream': 'Asked once more; a report goes on where it stopped, up to three times.',
  'silent stream': 'Given up after `limits.idleSeconds` and asked once more; a report goes on where it stopped.',
  'garbled stream': 'Asked once more; a report goes on where it stopped.',
  'malformed JSON':
    'Shown to the model with what is wrong, `limits.maxStructuredOutputRetries` times; not kept, so that going on asks anew.',
  stopped: 'Every call ends at once, the run can be gone on with.',
};

export function faultsDocument(results: readonly CellResult[]): string {
  const steps = [...new Set(Object.values(stepsOf).flat())];
  const outcome = (step: FaultyStep, fault: string, mode: 'every' | 'one'): string => {
    const found = results.filter(({ cell }) => cell.step === step && cell.fault === fault && cell.mode === mode);
    return (
      [...new Set(found.map(({ outcome: word }) => word.replace(/^one message: (\w+)$/, 'message')))]
        .sort()
        .join(' or ') || '–'
    );
  };
  const matrix = (mode: 'every' | 'one', faults: readonly string[]): string =>
    table(
      ['step', ...faults],
      steps.map((step) => [`\`${step}\``, ...faults.map((fault) => outcome(step, fault, mode))]),
    );
  const struckOnce = faultNames.filter((fault) =>
    results.some(({ cell }) => cell.fault === fault && cell.mode === 'one'),
  );
  const strategiesOf = (step: FaultyStep): string =>
    (Object.keys(stepsOf) as Strategy[]).filter((strategy) => stepsOf[strategy].includes(step)).join(', ');
  return `# When something goes wrong

Whatever fails, a run ends in a report or in one clear message, nothing that was found is lost, and nothing that a failing
service says becomes content. \`test/system/faults/\` runs the whole engine through every cell of these tables and writes the outcomes:
after a change of what happens, \`npm test unit faults\` says where this page is out of date, and

    FAULTS_DOCUMENT=write node --import ./test/support/register.mjs --test test/system/faults/modelFaults.test.ts

writes it anew. *report*: complete. *partial report*: written, and it says what is missing or only quoted. *message*: one
\`run/failed\` with its reason and what to do next; the run can be gone on with, and finished calls are not paid again. A wrong
key, an unknown model and an unreachable server at the first call are told within 10 s; a connection that is lost later
pauses the run, which goes on by itself.

## What a step's failure means

${table(
  ['step', 'strategies', 'when it fails for good'],
  steps.map((step) => [`\`${step}\``, strategiesOf(step), becomes[step]]),
)}

## What is done about a fault of the model

${table(
  ['fault', 'what it is', 'what is done', 'reason of a message'],
  faultNames.map((name) => [name, whatIs(name), answers[name] ?? '', reasonsOf(name)]),
)}

## At every call of a step

${matrix('every', faultNames)}

## At one call of a step

${matrix('one', struckOnce)}

## Sources

A call that fails is an observation for the researcher, in the source's words; the section and the account of the report say it
in ours, once. A host that refuses connections, or is silent twice, is not asked again in the run. When every source fails, the
run ends as \`noEvidence\` with the first one's reason.

- arXiv and GitHub: ${Object.keys(sourceFaults).join(', ')}.
- The workspace: ${Object.keys(workspaceFaults).join(', ')}.
- Tools from outside: one that ${Object.keys(outsideFaults).join(', ')}. Documents are taken field by field; what is none is left out, and
  a text ends at a million characters. One that never answers is given up after two minutes, or when the run is stopped.

## The disk

Full, read-only, gone or replaced by something else, at the start or in the middle, for each file of the run's folder: the run goes
on in memory to its report, and says once that it is not kept. A report that can't be saved is kept in the run's folder and given
as text: the command line prints it, the editor offers another place.
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
