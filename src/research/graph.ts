import { END, MemorySaver, START, StateGraph, type BaseCheckpointSaver } from '@langchain/langgraph';
import { aggregateNode } from './nodes/aggregate.ts';
import { analyzeNode } from './nodes/analyze.ts';
import { approvePlanNode } from './nodes/approvePlan.ts';
import { askUserNode } from './nodes/askUser.ts';
import { assessNode } from './nodes/assess.ts';
import { confirmReviewNode } from './nodes/confirmReview.ts';
import { discoverNode } from './nodes/discover.ts';
import { dispatchNode } from './nodes/dispatch.ts';
import { finishable } from './nodes/finishable.ts';
import { planNode } from './nodes/plan.ts';
import { reportNode } from './nodes/report.ts';
import { reviewNode } from './nodes/review.ts';
import { verifyTopicNode } from './nodes/verifyTopic.ts';
import type { RunContext } from './run/runContext.ts';
import { sectionNode } from './section/sectionGraph.ts';
import { ResearchState } from './state.ts';
import { readNode, reflectNode, retrieveNode } from './strategies/iterative.ts';
import { coordinateNode } from './strategies/sections.ts';
import { briefNode, superviseNode } from './strategies/supervisor.ts';

/**
 * The whole program on one page:
 *
 *     START -> assess -> (askUser -> assess)* -> (verifyTopic -> assess) -> analyze -> (discover) -> plan -> (approvePlan)
 *           -> strategy -> report -> END
 *
 *     sections     coordinate -> dispatch -> section × n -> aggregate -> review -> (confirmReview) -> dispatch | report
 *     short        dispatch -> section -> aggregate -> report
 *     iterative    retrieve -> read -> reflect -> retrieve | report
 *     supervisor   brief -> (approvePlan) -> supervise -> section × n -> aggregate -> supervise | report
 *
 * "Finish now" leads from every step to the report. Nodes that wait for the user (askUser, approvePlan, confirmReview) hold an interrupt and nothing else.
 */
export function buildGraph(run: RunContext, checkpointer: BaseCheckpointSaver = new MemorySaver()) {
  const nodes = nodesOf(run);
  return (
    new StateGraph(ResearchState)
      .addNode('assess', nodes.assess, { ends: ['verifyTopic', 'askUser', 'analyze', 'report'] })
      .addNode('askUser', nodes.askUser, { ends: ['assess'] })
      .addNode('verifyTopic', nodes.verifyTopic, { ends: ['assess'] })
      .addNode('analyze', nodes.analyze, { ends: ['discover', 'plan', 'brief', 'report'] })
      .addNode('discover', nodes.discover)
      .addNode('plan', nodes.plan, { ends: ['approvePlan', 'coordinate', 'dispatch', 'retrieve', 'report'] })
      .addNode('brief', nodes.brief, { ends: ['approvePlan', 'supervise', 'report'] })
      .addNode('approvePlan', nodes.approvePlan, {
        ends: ['coordinate', 'dispatch', 'retrieve', 'supervise', 'report'],
      })
      // sections, short
      .addNode('coordinate', nodes.coordinate)
      .addNode('dispatch', nodes.dispatch, { ends: ['section', 'aggregate'] })
      .addNode('section', nodes.section)
      .addNode('aggregate', nodes.aggregate, { ends: ['review', 'supervise', 'report'] })
      .addNode('review', nodes.review, { ends: ['confirmReview', 'dispatch', 'report'] })
      .addNode('confirmReview', nodes.confirmReview, { ends: ['dispatch', 'report'] })
      // iterative
      .addNode('retrieve', nodes.retrieve, { ends: ['read', 'report'] })
      .addNode('read', nodes.read)
      .addNode('reflect', nodes.reflect, { ends: ['retrieve', 'report'] })
      // supervisor
      .addNode('supervise', nodes.supervise, { ends: ['section', 'supervise', 'report'] })
      .addNode('report', nodes.report)
      .addEdge(START, 'assess')
      .addEdge('discover', 'plan')
      .addEdge('coordinate', 'dispatch')
      .addEdge('section', 'aggregate')
      .addEdge('read', 'reflect')
      .addEdge('report', END)
      .compile({ checkpointer, name: 'deep-research' })
  );
}
export type ResearchGraph = ReturnType<typeof buildGraph>;

/** The nodes by name: one file each. */
export function nodesOf(run: RunContext) {
  return {
    assess: finishable(run, assessNode(run)),
    askUser: askUserNode(),
    verifyTopic: verifyTopicNode(run),
    analyze: finishable(run, analyzeNode(run)),
    discover: discoverNode(run),
    plan: finishable(run, planNode(run)),
    brief: finishable(run, briefNode(run)),
    approvePlan: finishable(run, approvePlanNode(run)),
    coordinate: coordinateNode(run),
    dispatch: dispatchNode(run),
    section: sectionNode(run),
    aggregate: aggregateNode(run),
    review: reviewNode(run),
    confirmReview: confirmReviewNode(),
    retrieve: retrieveNode(run),
    read: readNode(run),
    reflect: reflectNode(run),
    supervise: finishable(run, superviseNode(run)),
    report: reportNode(run),
  };
}
