import fs from 'node:fs';
import path from 'node:path';
import { copyWorkspace, removeFolder, temporaryFolder } from './paths.ts';
import { imitatedSettings, startSourceServer, type SourceServer } from './sourceServer.ts';

/** Where commands of a test run: nothing of it is the machine's, and nothing leads away from it. */
export interface CommandPlace {
  /** A copy of the sample workspace. */
  readonly workspace: string;
  /** For `--run-dir`. */
  readonly runs: string;
  readonly sources: SourceServer;
  /** A settings file that leads to the imitated sources. */
  readonly settings: string;
  remove(): Promise<void>;
}

/** @param more Settings beside the endpoints. */
export async function makeCommandPlace(more: Readonly<Record<string, unknown>> = {}): Promise<CommandPlace> {
  const workspace = copyWorkspace('examples');
  const runs = temporaryFolder('runs');
  const sources = await startSourceServer();
  const settings = path.join(runs, 'settings.json');
  fs.writeFileSync(
    settings,
    JSON.stringify({
      ...imitatedSettings(sources),
      ...more,
    }),
  );
  return {
    workspace,
    runs,
    sources,
    settings,
    async remove() {
      await sources.close();
      removeFolder(workspace);
      removeFolder(runs);
    },
  };
}
