// Drives the compiled graph of a run: node docs/drive-the-graph.mjs "How does HyDE work?" examples
import { buildResearchGraph, createAnalyst, createSources } from 'deep-research';

const [question = 'How does HyDE work?', workspace = 'examples'] = process.argv.slice(2);
// Settings as in the editor; here nothing is asked, and only the folder is searched.
const config = { clarification: 'off', planApproval: 'never', 'sources.enabled': ['workspace'] };

const { close, ...sources } = await createSources({ config, workspace });
const analyst = await createAnalyst({ config });
const graph = buildResearchGraph({ ...analyst, ...sources, config });

const start = { originalQuery: question, today: new Date().toISOString().slice(0, 10), language: 'en' };
const options = { configurable: { thread_id: 'one' }, recursionLimit: 300, streamMode: 'updates' };
let report = '';
for await (const step of await graph.stream(start, options)) {
  for (const [node, update] of Object.entries(step)) {
    console.error(node);
    report = update?.finalReport ?? report;
  }
}
await close();
console.log(report);
