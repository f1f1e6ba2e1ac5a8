import { createServer } from './server.ts';
import { loadConfig } from './config.ts';

const config = await loadConfig(process.env.PARCELRATE_ENV ?? 'default');
const server = createServer(config);
await server.listen();

process.on('SIGTERM', async () => {
  // 25 s: Kubernetes kills after 30
  await server.close({ graceMs: 25_000 });
  process.exit(0);
});
