import type { WarningKind } from '../../protocol/warnings.ts';
import type { ErrorReason } from '../errors.ts';

/**
 * What a run says of itself, in the language of its report: warnings, the reasons of its choices, and the account of how the
 * report was made. `{…}` are places for the values that the English text names; a translation leaves out those that hold
 * English text (`{text}`, `{why}`, `{next}`), and no others.
 */
export interface RunTexts {
  readonly account: {
    readonly withoutModel: string;
    readonly withModel: string;
    /** Nothing of the report is the model's. */
    readonly modelUnused: string;
    /** `{titles}` of the sections that are quotes beside others that the model wrote. */
    readonly quoted: string;
    readonly sources: string;
    readonly leftOut: string;
    readonly undated: string;
    readonly offTopic: string;
    readonly dropped: string;
    readonly assumed: string;
    readonly review: string;
    readonly reviewRounds: string;
    readonly reflection: string;
    readonly failed: string;
    readonly stopped: string;
    readonly remarks: string;
    readonly finishedEarly: string;
    readonly note: string;
  };
  /** What was assumed because the user did not say it. */
  readonly assumptions: Readonly<
    Record<'goal' | 'skipped' | 'taken' | 'topic' | 'impossible' | 'notFound' | 'meaning' | 'template', string>
  >;
  /** Why a strategy was chosen. */
  readonly strategies: Readonly<Record<'chosen' | 'list' | 'comparison' | 'depth' | 'fact' | 'broad', string>>;
  readonly warnings: Readonly<Record<WarningKind, string>>;
  /** How a run ends without a report. */
  readonly ends: Readonly<
    Record<
      | 'tooEarly'
      | 'tooEarlyNext'
      | 'nothingFound'
      | 'nothingFoundIn'
      | 'nothingFoundNext'
      | 'offline'
      | 'offlineNext'
      | 'noneResearched'
      | 'noneResearchedNext',
      string
    >
  >;
  readonly notReached: string;
  /** Why a section is missing that the user stopped before it had found anything. */
  readonly stoppedByUser: string;
  readonly savedIn: string;
  /**
   * What an error is in this language, by its reason: `{origin}` is the host or provider that failed, or {@link RunTexts.service}.
   * English has none: there the error's own message says more.
   */
  readonly errors?: Readonly<Record<ErrorReason, string>>;
  /** Stands for an unknown `{origin}`. */
  readonly service: string;
}
