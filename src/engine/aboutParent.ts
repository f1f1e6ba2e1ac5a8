import { join } from 'node:path';
import { readParent, tailsOf } from '../node/parentRun.ts';
import { versionSink } from '../node/versionSink.ts';
import { kindsWithoutModel } from '../protocol/followUp.ts';
import type { FollowUp } from '../protocol/ports.ts';
import { ResearchError } from '../research/errors.ts';
import type { ReportSink } from '../research/ports.ts';
import type { RunParts } from '../research/runner/createRun.ts';
import { type RunOptions, settingsOf } from './runOptions.ts';

/**
 * What a follow-up is made of, as far as today's settings show its parent to a model: it saves its change as a version, and opens no
 * source when it writes from what was read. `check` throws `badRequest` for what needs a model.
 */
export async function aboutParent(options: RunOptions, asked: FollowUp, run: string, given: string) {
  const { runsFolder, versionSaved } = options.parents ?? { ...options, versionSaved: undefined };
  const showsFiles = settingsOf(options)['workspace.forModel'] === 'content';
  const parent = await readParent(runsFolder, asked, given, showsFiles, options.workspaceFolder);
  const { as, section, refresh, without } = parent.wanted;
  const isUnsaid = given === asked.section;
  const question = refresh && given.trim() === '' ? parent.question : isUnsaid ? (section ?? given) : given;
  const tails = await tailsOf(parent);
  const { toWorkspace } = parent;
  const sink = versionSink({ folder: join(runsFolder, parent.run), run, question, tails, without, toWorkspace });
  const save: ReportSink['save'] = async (...report) => {
    const path = await sink.save(...report);
    if (path !== undefined) await versionSaved?.();
    return path;
  };
  return {
    parent,
    question,
    options: {
      isFresh: refresh === true,
      readsOnly: section === undefined && !refresh && (as === 'answer' || as === 'rewrite'),
      saveTo: { ...sink, save },
    },
    check: ({ analyst }: Pick<RunParts, 'analyst'>): void => {
      const isWithout = section !== undefined || refresh || (as !== undefined && kindsWithoutModel.includes(as));
      if (analyst.kind === 'llm' || isWithout) return;
      throw new ResearchError(
        'badRequest',
        `${as === undefined ? 'To decide what is asked' : `To ${as} a report`} needs a model.`,
        {
          next: 'Choose a model, or have it answered (--as answer) or researched further (--as research).',
        },
      );
    },
  };
}
