import { faultNames, type CellResult } from './faultTable.ts';
import { modelFaults, stepsOf, type FaultyStep, type Strategy } from './modelFaults.ts';
import { outsideFaults, sourceFaults, workspaceFaults } from './toolFaults.ts';

/** docs/faults.md: the text is written here, the outcomes are those of the runs. */

/** What happens to the run when a step fails for good. */
const becomes: Readonly<Record<FaultyStep, string>> = {
  assess: 'The run ends with the message: nothing was done yet.',
  analyze: 'The run ends with the message; a resumed run continues here.',
  discoverer: 'The plan is made from the question alone; what had been found is used.',
  discover: 'The plan is made from the question alone.',
  plan: 'The run ends with the message; a resumed run continues here.',
  coordinate: 'Sections start without borders.',
  brief: 'The run ends with the message; a resumed run continues here.',
  supervise:
    'With findings: the report is written from them. Before: the run ends with the message. A lead that delegates nothing usable has its brief researched.',
  act: 'Only this section fails; if something was found, it continues with that. If all sections fail, the run ends with the first one’s reason. Unusable calls are replaced by searches chosen by rules.',
  distil: 'The section is given as quotes of its sources, in addition to what an earlier attempt had.',
  review: 'The report is written from what was found.',
  reflect: 'The report is written from what was found.',
  report:
    'Whole sentences that were written stay; every section that is missing, or half written, is given as it was distilled.',
};

/** What the program does about a fault before a step fails for good. */
const answers: Readonly<Record<string, string>> = {
  throws: 'A bug in the program: nothing is retried. Its message goes to the log alone.',
  'rate-limited': 'Retried after 1, 2, 4, 8 and 16 s, or when the server says.',
  'rate-limited for an hour': 'Not retried. (A wait of up to 15 minutes pauses the run.)',
  '400': 'Not retried, unless the refusal names a parameter that can be left out.',
  '500': 'Retried twice.',
  'web page': 'Retried twice; only the title of the page is reported.',
  hang: 'Times out after `limits.idleSeconds` and is retried once.',
  'broken stream': 'Retried once; a report continues where it stopped, up to three times.',
  'silent stream': 'Times out after `limits.idleSeconds` and is retried once; a report continues where it stopped.',
  'garbled stream': 'Retried once; a report continues where it stopped.',
  'malformed JSON':
    'Returned to the model with what is wrong, `limits.maxStructuredOutputRetries` times; not recorded, so that a resumed run asks again.',
  stopped: 'Every call ends at once; the run can be resumed.',
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

rewrites it. *report*: complete. *partial report*: written, and it says what is missing or only quoted. *message*: one
\`run/failed\` with its reason and what to do next; the run can be resumed, and completed calls are not repeated. A wrong
key, an unknown model and an unreachable server at the first call are reported within 10 s; a connection that is lost later
pauses the run, which resumes by itself.

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

A call that fails is an observation for the researcher, in the source's words; the section and the account of the report state it
once, in our own. A host that refuses connections, or is silent twice, is not called again in the run. When every source fails, the
run ends as \`noEvidence\` with the first one's reason.

- arXiv and GitHub: ${Object.keys(sourceFaults).join(', ')}.
- The workspace: ${Object.keys(workspaceFaults).join(', ')}.
- Tools from outside: one that ${Object.keys(outsideFaults).join(', ')}. Documents are read field by field; invalid ones are dropped, and
  a text ends at a million characters. A call that never answers times out after two minutes, or ends when the run is stopped.

## The disk

Full, read-only, gone or replaced by something else, at the start or in the middle, for each file of the run's folder: the run
continues in memory to its report, and warns once that it is not saved. A report that can't be saved where it belongs is in the run's
folder and given as text: the command line prints it, the editor offers another place.
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
