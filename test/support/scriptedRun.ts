import type { Dialogue } from '../../src/protocol/ports.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { readAllSettings } from '../../src/catalogue.ts';
import type { Settings } from '../../src/research/settings/config.ts';
import type { RunFolder } from '../../src/research/ports.ts';
import type { RunParts } from '../../src/research/runner/createRun.ts';
import { runResearch, type ResearchInput } from '../../src/research/runResearch.ts';
import {
  fakeClock,
  memoryFolder,
  note,
  scriptedAnalyst,
  scriptedTool,
  silentLog,
  type MemoryFolder,
} from './scriptedParts.ts';

/** A run of the real graph with scripted parts. */

export interface ScriptedOptions extends Partial<Omit<RunParts, 'settings' | 'folder'>>, Dialogue {
  readonly question?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly run?: string;
  readonly folder?: RunFolder;
  readonly resume?: ResearchInput['resume'];
  readonly warnings?: ResearchInput['warnings'];
  readonly plan?: ResearchInput['plan'];
  readonly steer?: ResearchInput['steer'];
}

export function settingsOf(raw: Readonly<Record<string, unknown>> = {}): Settings {
  return readAllSettings(raw).settings;
}

export function scriptedRun(options: ScriptedOptions = {}) {
  const folder = (options.folder as MemoryFolder | undefined) ?? memoryFolder();
  const saved: { name: string; markdown: string }[] = [];
  const events: ResearchEvent[] = [];
  const analyst = options.analyst ?? scriptedAnalyst();
  const input: ResearchInput = {
    analyst,
    fallback: options.fallback ?? analyst,
    provider: 'extractive',
    model: null,
    tools: [scriptedTool((query) => ({ documents: [note(query)] }))],
    sink: {
      save: async (name, markdown) => {
        saved.push({ name, markdown });
        return `/reports/${name}`;
      },
      saveBeside: async (report, ending, markdown) => {
        saved.push({ name: report.replace(/^.*\/|\.md$/g, '') + ending, markdown });
      },
    },
    clock: fakeClock(),
    log: silentLog,
    run: '20260304-100000-abcdef',
    question: 'What do the field notes say about reconnecting?',
    openFolder: async () => folder,
    ...options,
    settings: settingsOf(options.settings),
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  };
  return { folder, saved, events, result: runResearch(input) };
}
