import { END, MemorySaver, START, StateGraph, type BaseCheckpointSaver } from '@langchain/langgraph';
import { aggregateNode } from './nodes/aggregate.ts';
import { analyzeNode } from './nodes/analyze.ts';
import { approveEntitiesNode } from './nodes/approveEntities.ts';
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
import { withSupplied } from './nodes/supplied.ts';
import { verifyTopicNode } from './nodes/verifyTopic.ts';
import { routes, type RoutingNode } from './routes.ts';
import type { RunContext } from './run/runContext.ts';
import { sectionNode } from './section/sectionGraph.ts';
import { ResearchState } from './state.ts';
import { closeSections, readNode, reflectNode, retrieveNode } from './strategies/iterative.ts';
import { briefNode, superviseNode } from './strategies/supervisor.ts';

/**
 * The whole program on one page; `routes.ts` has every arrow:
 *
 *     START -> assess -> (askUser -> assess)* -> (verifyTopic -> assess) -> analyze
 *           -> (discover -> (approveEntities)) -> plan -> (approvePlan -> (plan)) -> strategy -> report -> END
 *
 *     sections     dispatch -> section × n -> aggregate -> review -> (confirmReview) -> dispatch | report
 *     short        dispatch -> section -> aggregate -> report
 *     iterative    retrieve -> read -> reflect -> retrieve | report
 *     supervisor   brief -> (approvePlan) -> supervise -> section × n -> aggregate -> supervise | report
 *
 * Before the report, sections that the user has a remark on go back to `dispatch` (iterative: `retrieve`).
 * "Finish now" leads from every step to the report. Nodes that wait for the user (askUser, approveEntities, approvePlan,
 * confirmReview) contain an interrupt and nothing else: on resume a node's body runs again. A run that was given its plan starts with
 * `analyze`, one that asks about a finished run with `followUp`, which leads to its sections or the report, by way of the approval where
 * the plan is shown.
 */
export function buildGraph(run: RunContext, checkpointer: BaseCheckpointSaver = new MemorySaver()) {
  const targets: Partial<Record<string, readonly NodeName[]>> = routes;
  const nodes = Object.entries(nodesOf(run)).map(([name, node]): [NodeName, typeof node, { ends: NodeName[] }] => [
    name as NodeName,
    node,
    { ends: [...(targets[name] ?? [])] },
  ]);
  return new StateGraph(ResearchState)
    .addNode(nodes)
    .addConditionalEdges(START, ({ outline }) => (run.parent ? 'followUp' : outline ? 'analyze' : 'assess'), [
      'followUp',
      'analyze',
      'assess',
    ])
    .addEdge('section', 'aggregate')
    .addEdge('read', 'reflect')
    .addEdge('report', END)
    .compile({ checkpointer, name: 'deep-research' });
}
export type ResearchGraph = ReturnType<typeof buildGraph>;

type NodeName = keyof ReturnType<typeof nodesOf>;

/** The nodes by name; each row of `routes.ts` has one. */
export function nodesOf(run: RunContext) {
  return {
    // Loaded when it runs: most runs ask about no other one.
    followUp: finishable(run, async (state) => (await import('./nodes/followUp.ts')).followUpNode(run)(state)),
    assess: finishable(run, assessNode(run)),
    askUser: askUserNode(),
    verifyTopic: verifyTopicNode(run),
    analyze: finishable(run, analyzeNode(run)),
    discover: finishable(run, discoverNode(run)),
    approveEntities: finishable(run, approveEntitiesNode(run)),
    plan: finishable(run, planNode(run)),
    brief: finishable(run, briefNode(run)),
    approvePlan: finishable(run, approvePlanNode(run)),
    // sections, short
    dispatch: dispatchNode(run),
    section: sectionNode(run),
    aggregate: aggregateNode(run),
    review: finishable(run, reviewNode(run)),
    confirmReview: confirmReviewNode(run),
    // iterative
    retrieve: finishable(run, retrieveNode(run), (state) => closeSections(run, state)),
    read: readNode(run),
    reflect: finishable(run, reflectNode(run), (state) => closeSections(run, state)),
    // supervisor
    supervise: finishable(run, superviseNode(run)),
    report: withSupplied(run, reportNode(run)),
  } satisfies Record<RoutingNode | 'section' | 'read' | 'report', unknown>;
}
