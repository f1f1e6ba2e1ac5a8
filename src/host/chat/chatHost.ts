import type { Setup } from '../../protocol/messages.ts';
import type { EngineOptions, TextCheck, TextOptions } from '../../protocol/ports.ts';
import type { RunView } from '../../protocol/runView.ts';
import type { StringKey } from '../../protocol/strings.ts';
import type { RunEntry } from '../../runs/runEntry.ts';
import type { RunChoices } from '../../runs/runChoices.ts';
import type { RunSession } from '../../runs/runSession.ts';

/** What the tool and the participant need of the window. */
export interface ChatHost {
  session(): RunSession;
  /** Absolute path of the folder that holds one folder a run. */
  runsFolder(): string;
  options(): EngineOptions;
  /** What a run of these choices would use. */
  describe(choices: RunChoices): Promise<Setup>;
  /** See `ResearchEngine.prepareText`. */
  prepareText(choices: RunChoices, text: Omit<TextOptions, keyof EngineOptions>): Promise<TextCheck>;
  texts(): Promise<Readonly<Record<StringKey, string>>>;
  /** The focus stays where it is. */
  showPanel(): Promise<void>;
  /** Resumes a saved run, if its folder is open and no other run is in progress. */
  resume(run: RunEntry): Promise<void>;
  /** The view of a saved run; undefined when nothing of it can be read. */
  read(run: string): Promise<RunView | undefined>;
}
