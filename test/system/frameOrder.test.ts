import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { floorRun, places } from '../support/floorRuns.ts';
import { removeFolder } from '../support/paths.ts';

const [place] = places;
const folder = place!.make();
after(() => removeFolder(folder));

/** The person wants the last section first, and the others as one. */
const script = () => {
  let planned: readonly string[] = [];
  return ({ step, prompt }: { readonly step: string; readonly prompt: string }) => {
    if (step !== 'frame') return undefined;
    planned = [...new Set([...prompt.matchAll(/^- ([a-z]\d+): /gm)].map(([, id]) => id!))];
    const rest = planned.slice(0, -1);
    const order = [
      { title: 'Last', parts: planned.slice(-1) },
      ...(rest.length > 0 ? [{ title: 'Everything else', parts: rest }] : []),
    ];
    const conclusion = 'More sources are needed.';
    return { json: { analysis: '', conclusion, summary: 'It depends on the sources.', title: 'Report', order } };
  };
};

for (const strategy of ['sections', 'iterative', 'supervisor'] as const)
  test(`sections are merged and put in the order that the frame names: ${strategy}`, async () => {
    const { report, events } = await floorRun(place!, folder, strategy, { name: 'order', half: 'first', script });
    const proposed = events.findLast((event) => event.type === 'section/updated');
    assert.ok(proposed);
    const titles = [...report.matchAll(/^## (.+)$/gm)].map(([, title]) => title!);
    const ended = events.flatMap((event) =>
      event.type === 'section/updated' ? [[event.id, event.title] as const] : [],
    );
    const planned = [...new Map(ended).entries()].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
    assert.ok(planned.length > 1, `${planned.length} sections`);
    assert.equal(titles[0], planned.at(-1)![1]);
    if (planned.length > 2) assert.equal(titles[1], 'Everything else');
  });
