import type { Command, END } from '@langchain/langgraph';
import type { ResearchStateType, SectionGraphStateType } from './state.ts';

/** Where each node that routes may lead. The graph is built from this table, and the nodes' return types follow it. */
export const routes = {
  followUp: ['approvePlan', 'dispatch', 'report'],
  assess: ['verifyTopic', 'askUser', 'analyze', 'report'],
  askUser: ['assess'],
  verifyTopic: ['assess'],
  analyze: ['discover', 'plan', 'brief', 'report'],
  discover: ['approveEntities', 'plan', 'report'],
  approveEntities: ['plan', 'report'],
  plan: ['approvePlan', 'dispatch', 'retrieve', 'report'],
  brief: ['approvePlan', 'supervise', 'report'],
  approvePlan: ['plan', 'brief', 'followUp', 'dispatch', 'retrieve', 'supervise', 'report'],
  // sections, short
  dispatch: ['section', 'aggregate'],
  aggregate: ['review', 'supervise', 'dispatch', 'report'],
  review: ['confirmReview', 'dispatch', 'report'],
  confirmReview: ['dispatch', 'report'],
  // iterative
  retrieve: ['read', 'report'],
  reflect: ['retrieve', 'report'],
  // supervisor
  supervise: ['section', 'supervise', 'dispatch', 'report'],
} as const;

export type RoutingNode = keyof typeof routes;

/** What a routing node returns: an update of the state, and only a target that its row of {@link routes} names. */
export type Route<N extends RoutingNode> = Command<unknown, Partial<ResearchStateType>, (typeof routes)[N][number]>;

/** What the quick review of a section returns. */
export type SectionRoute = Command<unknown, Partial<SectionGraphStateType>, 'research' | typeof END>;
