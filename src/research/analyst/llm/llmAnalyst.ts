import type { Analyst } from '../analyst.ts';
import { act } from './act.ts';
import { analyze } from './analyze.ts';
import { assess } from './assess.ts';
import { brief } from './brief.ts';
import { discover } from './discover.ts';
import { distil } from './distil.ts';
import { frame } from './frame.ts';
import { plan } from './plan.ts';
import { reflect } from './reflect.ts';
import { writeReport } from './report.ts';
import { review } from './review.ts';
import { supervise } from './supervise.ts';
import { verify } from './verify.ts';
import { writeSection } from './writeSection.ts';

/** The analyst that thinks with a chat model: one file and one prompt for each step. It calls nothing but `scope.model`. */
export const llmAnalyst = {
  kind: 'llm',
  ...{ assess, analyze, discover, plan, act, distil, review, reflect },
  // Most runs ask nothing of another one, and only deep ones have a critic.
  followUp: async (input, scope) => (await import('./followUp.ts')).followUp(input, scope),
  critique: async (input, scope) => (await import('./critique.ts')).critique(input, scope),
  challenge: async (input, scope) => (await import('./challenge.ts')).challenge(input, scope),
  ...{ brief, supervise, writeReport, writeSection, frame, verify },
} as const satisfies Analyst;
