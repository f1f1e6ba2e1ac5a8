import { END, MemorySaver, START, StateGraph, type BaseCheckpointSaver } from '@langchain/langgraph';
import { aggregateNode } from './nodes/aggregate.ts';
import { analyzeNode } from './nodes/analyze.ts';
import { approvePlanNode } from './nodes/approvePlan.ts';
import { askUserNode } from './nodes/askUser.ts';
import { assessNode } from './nodes/assess.ts';
import { confirmReviewNode } from './nodes/confirmReview.ts';
import { discoverNode } from './nodes/discover.ts';
import { dispatchNode } from './nodes/dispatch.ts';
import { planNode } from './nodes/plan.ts';
import { reportNode } from './nodes/report.ts';
import { reviewNode } from './nodes/review.ts';
import { verifyTopicNode } from './nodes/verifyTopic.ts';
import type { RunContext } from './runContext.ts';
import { sectionNode } from './section/sectionGraph.ts';
import { ResearchState } from './state.ts';

/**
 * The whole program on one page:
 *
 *     START -> assess -> (askUser -> assess)* -> (verifyTopic -> assess) -> analyze -> (discover) -> plan -> (approvePlan)
 *           -> dispatch -> section × n -> aggregate -> review -> (confirmReview) -> dispatch | report -> END
 *
 * Nodes that wait for the user (askUser, approvePlan, confirmReview) hold an interrupt and nothing else.
 */
export function buildGraph(run: RunContext, checkpointer: BaseCheckpointSaver = new MemorySaver()) {
  return new StateGraph(ResearchState)
    .addNode('assess', assessNode(run), { ends: ['verifyTopic', 'askUser', 'analyze'] })
    .addNode('askUser', askUserNode(), { ends: ['assess'] })
    .addNode('verifyTopic', verifyTopicNode(run), { ends: ['assess'] })
    .addNode('analyze', analyzeNode(run), { ends: ['discover', 'plan'] })
    .addNode('discover', discoverNode(run))
    .addNode('plan', planNode(run), { ends: ['approvePlan', 'dispatch'] })
    .addNode('approvePlan', approvePlanNode(run), { ends: ['dispatch'] })
    .addNode('dispatch', dispatchNode(run), { ends: ['section', 'aggregate'] })
    .addNode('section', sectionNode(run))
    .addNode('aggregate', aggregateNode(run))
    .addNode('review', reviewNode(run), { ends: ['confirmReview', 'dispatch', 'report'] })
    .addNode('confirmReview', confirmReviewNode(), { ends: ['dispatch', 'report'] })
    .addNode('report', reportNode(run))
    .addEdge(START, 'assess')
    .addEdge('discover', 'plan')
    .addEdge('section', 'aggregate')
    .addEdge('aggregate', 'review')
    .addEdge('report', END)
    .compile({ checkpointer, name: 'deep-research' });
}
export type ResearchGraph = ReturnType<typeof buildGraph>;
