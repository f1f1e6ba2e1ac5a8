import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { versionAt } from '../protocol/runFolder.ts';
import { hasGaps, isOnHold, isLive, type RunView } from '../protocol/runView.ts';
import { knownStrategy } from '../protocol/strategy.ts';
import { Beginning } from './beginning.tsx';
import { ClarifyCard } from './clarifyCard.tsx';
import { Disclosure, Foreign } from './controls.tsx';
import { EndCard } from './endCard.tsx';
import { EntityCard } from './entityCard.tsx';
import { NotFoundCard } from './notFoundCard.tsx';
import { FollowUpBox } from './followUpBox.tsx';
import { PageEnd } from './followEnd.tsx';
import { headingWords } from './headingWords.ts';
import { PageList } from './pageList.tsx';
import { usePanel } from './panelContext.ts';
import type { PanelState } from './panelStore.ts';
import { briefOf, PlanCard } from './planCard.tsx';
import { plain } from './plain.ts';
import { Above, AnswerEnd, Answers, ShortEnd } from './reportThread.tsx';
import { ReportView } from './reportView.tsx';
import { ReviewCard } from './reviewCard.tsx';
import { RevisionList } from './revisionList.tsx';
import { RoundList } from './roundList.tsx';
import { modelText, RunHeader } from './runHeader.tsx';
import { useScrollMemory } from './scrollMemory.ts';
import { SectionList, Thoughts } from './sectionList.tsx';
import { SourceList } from './sourceList.tsx';
import { isAnswer, strategyLine } from './statusLook.ts';
import { TopicTree } from './topicTree.tsx';
import { WarningList } from './warningList.tsx';

/** One run, from its first second to its report. */
export function RunScreen({ state }: { readonly state: PanelState }) {
  const { texts, host, thread } = usePanel();
  const goBack = useScrollMemory();
  const { view } = state;
  const live = isLive(view);
  // Sections are written while others are researched.
  const writing = live && (view.phase === 'report' || view.report.text !== '');
  // Pages have a list of their own.
  const warnings = useMemo(() => view.warnings.filter(({ kind }) => kind !== 'page.unread'), [view.warnings]);
  const isAbout = view.parent !== undefined;
  // Of a follow-up the report that it is about is in the tab.
  const isRead = state.isRead && !isAbout;
  const hasThread = isAbout || view.status === 'finished';
  const changed = isAbout ? undefined : thread?.report;
  // Those of a changed report too, by which others may be cited.
  const listed = useMemo(() => {
    const known = new Set(view.sources.map(({ id }) => id));
    return [...view.sources, ...(changed?.sources ?? []).filter(({ id }) => !known.has(id))];
  }, [view.sources, changed]);
  // What the report says already is above.
  const hasText = view.report.text !== '' && !view.report.unchanged;
  useEffect(() => {
    if (view.report.text === '' || isRead) goBack();
  }, []);
  useEffect(() => {
    if (hasThread) host.post({ type: 'findThread' });
  }, [hasThread, view.status === 'finished']);
  return (
    <main class={`run ${view.status}`} data-testid="run">
      <RunHeader view={view} skew={state.skew} />
      {isAbout && state.isRead && <ReadElsewhere />}
      {isAbout && thread && <Above thread={thread} isRead={state.isRead} />}
      <Question view={view} />
      {view.report.unchanged && (
        <section class="saved">
          <p data-testid="unchanged">{texts.of('followUp.unchanged')}</p>
        </section>
      )}
      {view.status === 'finished' && !isAnswer(view) && <Saved view={view} folders={state.setup.folders ?? []} />}
      {view.end?.outcome === 'notFound' && !isAbout && <NotFoundCard view={view} setup={state.setup} />}
      {!live && view.status !== 'finished' && <EndCard view={view} setup={state.setup} />}
      {isOnHold(view) && <Held view={view} />}
      {view.status === 'waiting' && <Waiting view={view} />}
      {view.status === 'running' && view.sections.length === 0 && <Beginning view={view} />}
      {view.answered.length > 0 && <Answered answered={view.answered} />}
      {view.entities.length > 0 && view.waitingFor !== 'entities' && <Entities entities={view.entities} />}
      {view.waitingFor !== 'plan' && <Progress view={view} live={live} />}
      {listed.length > 0 && <SourceList sources={listed} citations={(changed ?? view).report.citations} />}
      {view.pages.length > 0 && (
        <PageList pages={view.pages} status={view.status} attached={state.attached.flatMap(({ page }) => page ?? [])} />
      )}
      {warnings.length > 0 && <WarningList warnings={warnings} sections={view.sections} />}
      {view.thoughts.length > 0 && (
        <Disclosure name="thoughts" title={texts.of('thoughts.title')} note={texts.number(view.thoughts.length)}>
          {() => <Thoughts thoughts={view.thoughts} />}
        </Disclosure>
      )}
      {view.revision && <RevisionList revision={view.revision} live={live} />}
      {hasText && isRead && <ReadElsewhere />}
      {hasText && !isRead && (
        <ReportView
          run={(changed ?? view).run}
          report={(changed ?? view).report}
          sources={(changed ?? view).sources}
          writing={writing}
          onSettled={goBack}
        />
      )}
      {view.status === 'finished' && !isAbout && thread && <Answers answers={thread.answers} />}
      {view.status === 'finished' && isAnswer(view) && !view.report.unchanged && <AnswerEnd view={view} />}
      {view.status === 'finished' && !isAbout && view.strategy === 'short' && <ShortEnd view={view} />}
      {view.status === 'finished' && <FollowUpBox attached={state.attached} />}
      {/* Nothing covers what waits for an answer. */}
      <PageEnd writing={writing && !isRead && view.status !== 'waiting'} />
    </main>
  );
}

/** The report is in a tab. */
function ReadElsewhere() {
  const { texts, host } = usePanel();
  return (
    <p class="read-elsewhere quiet" data-testid="read-elsewhere">
      {texts.of('reader.opened')}{' '}
      <button type="button" class="button link" onClick={() => host.post({ type: 'openPreview' })}>
        {texts.of('reader.show')}
      </button>
    </p>
  );
}

/** Why the run is paused; it continues by itself. */
function Held({ view }: { readonly view: RunView }) {
  return (
    <section class="card warning" role="status" data-testid="held">
      <Foreign as="p" text={view.end?.message ?? ''} />
      <Foreign as="p" class="next" text={view.end?.next ?? ''} />
    </section>
  );
}

/** The progress, by strategy: rounds, a tree of topics, or sections. */
function Progress({ view, live }: { readonly view: RunView; readonly live: boolean }) {
  const { texts, thread } = usePanel();
  const { rounds, topics, sections, review } = view;
  const hasOwn = view.parent === undefined && view.status === 'finished' && thread !== null;
  const added = useMemo(() => {
    const known = new Set(sections.map(({ title }) => headingWords(title)));
    return hasOwn ? thread.sections.filter((heading) => !known.has(headingWords(heading))) : [];
  }, [hasOwn, thread, sections]);
  const reported = view.report.text !== '' && (!live || view.phase === 'report');
  const working = live && view.phase !== 'report';
  // While the review waits, its card takes the remarks.
  const stage = { live, working, reported, canSteer: working && view.waitingFor === null };
  const brief = briefOf(view.plan);
  return (
    <>
      {brief && (
        <Disclosure name="brief" title={texts.of('brief.title')}>
          {() => <Foreign as="p" class="brief-text" text={brief.description} />}
        </Disclosure>
      )}
      {rounds.length > 0 && <RoundList rounds={rounds} {...stage} />}
      {topics.length > 0 && <TopicTree topics={topics} sections={sections} {...stage} />}
      {((topics.length === 0 && sections.length > 0) || added.length > 0) && (
        <SectionList
          sections={topics.length === 0 ? sections : []}
          added={added}
          review={view.waitingFor === 'review' ? null : review}
          inRounds={rounds.length > 0}
          {...stage}
        />
      )}
    </>
  );
}

/** The question, its model and strategy; a long question is clamped until it is opened. */
function Question({ view }: { readonly view: RunView }) {
  const { texts } = usePanel();
  const text = useRef<HTMLHeadingElement>(null);
  const [open, setOpen] = useState(false);
  const [long, setLong] = useState(false);
  const strategy = strategyLine(view, texts);
  useLayoutEffect(() => {
    if (text.current) setLong(text.current.scrollHeight > text.current.clientHeight + 1);
  }, [view.question]);
  return (
    <section class="question" aria-label={texts.of('question.title')}>
      <h1 ref={text} dir="auto" class={open ? 'question-text' : 'question-text clamped'} data-testid="shown-question">
        {plain(view.question)}
      </h1>
      {long && (
        <button
          type="button"
          class="button link"
          aria-expanded={open}
          data-testid="question-more"
          onClick={() => setOpen(!open)}
        >
          {texts.of(open ? 'question.less' : 'question.more')}
        </button>
      )}
      <p class="quiet" data-testid="model">
        {modelText(view, texts)}
      </p>
      {strategy !== '' && (
        <p class="quiet" data-testid="run-strategy">
          {strategy}
        </p>
      )}
    </section>
  );
}

function Saved({ view, folders }: { readonly view: RunView; readonly folders: readonly string[] }) {
  const { texts, host } = usePanel();
  const { path, checked } = view.report;
  const version = versionAt(path);
  // A version may change what the report says of its sources, and cite nothing itself.
  const counts = checked &&
    !(version && checked.verified === 0) && [
      texts.of('report.checked', checked.verified),
      ...(checked.dropped > 0 ? [texts.of('report.dropped', checked.dropped)] : []),
    ];
  return (
    <section class="saved quiet">
      <p class="report-path" data-testid="report-path">
        {path === undefined ? (
          texts.of('report.unsaved')
        ) : (
          <button
            type="button"
            class="button link"
            title={plain(path)}
            data-testid="report-link"
            onClick={() => host.post({ type: 'openReport' })}
          >
            {version
              ? texts.of('report.version', version.number)
              : texts.of('report.saved', plain(shortPath(path, folders)))}
          </button>
        )}
      </p>
      {hasGaps(view) && (
        <p data-testid="partial">
          {texts.of(view.end?.outcome === 'partial' ? 'report.partial' : 'report.notAnswered')}
        </p>
      )}
      {counts && <p data-testid="checked">{counts.join(' · ')}</p>}
    </section>
  );
}

function Waiting({ view }: { readonly view: RunView }) {
  const { run, pending, plan, review, analyst } = view;
  switch (view.waitingFor) {
    case 'answer':
      return pending && <ClarifyCard key={pending.id} pending={pending} />;
    case 'plan': {
      const strategy = knownStrategy(view.strategy) ?? 'sections';
      return (
        plan && (
          <PlanCard key={`${run}/${plan.round}`} {...{ plan, strategy, analyst, isAbout: view.parent !== undefined }} />
        )
      );
    }
    case 'entities':
      return <EntityCard key={run} entities={view.entities} coverage={view.coverage} />;
    case 'review':
      return review && <ReviewCard key={review.round} review={review} sections={view.sections} />;
    case null:
      return null;
  }
}

function Answered({ answered }: { readonly answered: RunView['answered'] }) {
  const { texts } = usePanel();
  return (
    <Disclosure name="answered" title={texts.of('answered.title')} note={texts.number(answered.length)}>
      {() => (
        <ul class="answers">
          {answered.map(({ id, question, answer }) => (
            <li key={id}>
              <Foreign as="p" class="quiet" text={question} />
              {answer === null ? <p>{texts.of('answered.skipped')}</p> : <Foreign as="p" text={answer} />}
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}

function Entities({ entities }: { readonly entities: RunView['entities'] }) {
  const { texts } = usePanel();
  return (
    <Disclosure name="entities" title={texts.of('entities.title')} note={texts.number(entities.length)}>
      {() => (
        <ul class="entities">
          {entities.map((entity) => (
            <li key={entity.name}>
              <Foreign class="entity-name" text={entity.name} />
              {entity.brief !== '' && <Foreign as="p" class="quiet" text={entity.brief} />}
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}

/** A path below one of the folders, from there; of any other the file's name. */
function shortPath(path: string, folders: readonly string[]): string {
  const slashes = path.replaceAll('\\', '/');
  const folder = folders
    .map((one) => one.replaceAll('\\', '/').replace(/\/?$/, '/'))
    .find((one) => slashes.startsWith(one));
  if (folder !== undefined) return slashes.slice(folder.length);
  return /^(?:\/|[a-z]:)/i.test(slashes) ? slashes.slice(slashes.lastIndexOf('/') + 1) : slashes;
}
