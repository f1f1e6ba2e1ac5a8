import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DiscoveredEntity } from '../protocol/events.ts';
import { longest, maxEntities } from '../protocol/planBounds.ts';
import type { WantedEntity } from '../protocol/ports.ts';
import { AskingCard } from './askingCard.tsx';
import { onControlEnter } from './cardKeys.ts';
import { Button, Foreign, Icon, IconButton } from './controls.tsx';
import {
  type EntityProblem,
  type EntityRow,
  mergedInto,
  rowsOf,
  split,
  ticked,
  wantedOf,
  withAdded,
} from './entityDraft.ts';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';

interface EntityCardProps {
  readonly entities: readonly DiscoveredEntity[];
  /** What the search may have missed; may be empty. */
  readonly coverage: string;
  readonly sent: boolean;
  readonly onApprove: (wanted: WantedEntity[]) => void;
  readonly onStop: () => void;
}

/** What the report is about, as it was found: to be unticked, merged and added to before it is planned. */
export function EntityCard({ entities, coverage, sent, onApprove, onStop }: EntityCardProps) {
  const { texts, host, run, announce } = usePanel();
  const list = useRef<HTMLUListElement>(null);
  const [rows, setRows] = useState<readonly EntityRow[]>(() =>
    host.ui.entities?.run === run ? host.ui.entities.rows : rowsOf(entities),
  );
  const [problem, setProblem] = useState<EntityProblem | null>(null);
  /** Id of the row that gets the focus once the list is drawn again. */
  const focusNext = useRef<string | null>(null);
  useLayoutEffect(() => {
    const index = rows.findIndex(({ id }) => id === focusNext.current);
    if (index >= 0) list.current?.querySelectorAll<HTMLElement>('input[type="checkbox"]')[index]?.focus();
    focusNext.current = null;
  }, [rows]);
  const change = (next: readonly EntityRow[]) => {
    setRows(next);
    setProblem(null);
    host.remember({ entities: { run, rows: next } });
  };
  const wanted = wantedOf(rows);
  const approve = () => {
    setProblem(wanted.length === 0 ? 'needsEntity' : null);
    if (wanted.length === 0 || sent) return;
    host.remember({ entities: null });
    onApprove(wanted);
  };
  const merge = (row: EntityRow, target: string) => {
    const into = rows.find(({ id }) => id === target);
    if (!into) return;
    focusNext.current = target;
    announce(texts.of('entities.merged', plain(row.name), plain(into.name)));
    change(mergedInto(rows, row.id, target));
  };
  const setAll = (isOn: boolean) => change(rows.map((row) => ({ ...row, isOn })));
  return (
    <AskingCard
      name="entities"
      icon="checklist"
      title={texts.of('entities.ask')}
      sent={sent}
      testId="entity-card"
      onKeyDown={(event) => onControlEnter(event, approve)}
    >
      <p class="quiet">{texts.of('entities.intro')}</p>
      {coverage !== '' && <Foreign as="p" class="quiet" text={texts.of('entities.coverage', coverage)} />}
      <div class="actions">
        <Button look="link" testId="entities-all" disabled={sent} onClick={() => setAll(true)}>
          {texts.of('entities.all')}
        </Button>
        <Button look="link" testId="entities-none" disabled={sent} onClick={() => setAll(false)}>
          {texts.of('entities.none')}
        </Button>
      </div>
      <ul ref={list} class="entity-rows">
        {rows.map((row) => (
          <Entity
            key={row.id}
            row={row}
            known={entities.find(({ name }) => name === row.from[0])}
            others={rows.filter((other) => other !== row)}
            sent={sent}
            onTick={(isOn) => change(ticked(rows, row.id, isOn))}
            onMerge={(target) => merge(row, target)}
            onSplit={() => {
              focusNext.current = row.id;
              change(split(rows, row.id));
            }}
          />
        ))}
      </ul>
      <AddEntity
        sent={sent}
        onAdd={(name) => {
          const next = withAdded(rows, name);
          if (typeof next === 'string') setProblem(next);
          else {
            announce(texts.of('entities.added', plain(name.trim())));
            change(next);
          }
          return typeof next !== 'string';
        }}
      />
      <div class="card-foot">
        <p class="quiet" role="status" data-testid="entities-count">
          {texts.of('entities.chosen', wanted.length, rows.length)}
        </p>
        <div id="entity-problem" class="field-problem" role="alert" data-testid="entity-problem">
          {problem &&
            (problem === 'tooMany' ? texts.of('entities.tooMany', maxEntities) : texts.of(`entities.${problem}`))}
        </div>
        <div class="actions">
          <Button look="primary" testId="approve-entities" disabled={sent} onClick={approve}>
            {texts.of('entities.continue')}
          </Button>
          <Button testId="stop-entities" disabled={sent} onClick={onStop}>
            {texts.of('action.stop')}
          </Button>
        </div>
      </div>
    </AskingCard>
  );
}

interface EntityProps {
  readonly row: EntityRow;
  readonly known: DiscoveredEntity | undefined;
  readonly others: readonly EntityRow[];
  readonly sent: boolean;
  readonly onTick: (isOn: boolean) => void;
  readonly onMerge: (target: string) => void;
  readonly onSplit: () => void;
}

function Entity({ row, known, others, sent, onTick, onMerge, onSplit }: EntityProps) {
  const { texts } = usePanel();
  const [isMerging, setMerging] = useState(false);
  const also = row.from.filter((name) => name !== row.name);
  const name = plain(row.name);
  return (
    <li class="entity-row" data-testid="entity">
      <label class="entity-tick">
        <input
          type="checkbox"
          data-testid="entity-tick"
          checked={row.isOn}
          disabled={sent}
          onChange={(event) => onTick(event.currentTarget.checked)}
        />
        <Foreign class="entity-name" text={row.name} />
        {known && known.category !== '' && <Foreign class="badge" text={known.category} />}
        {row.from.length === 0 && <span class="badge">{texts.of('entities.yours')}</span>}
      </label>
      <div class="plan-tools">
        {also.length > 0 && (
          <IconButton
            icon="split-horizontal"
            label={texts.of('entities.split', name)}
            testId="entity-split"
            disabled={sent}
            onClick={onSplit}
          />
        )}
        {others.length > 0 && (
          <IconButton
            icon="merge"
            label={texts.of('entities.merge', name)}
            testId="entity-merge"
            expanded={isMerging}
            disabled={sent}
            onClick={() => setMerging(!isMerging)}
          />
        )}
      </div>
      {also.length > 0 && (
        <p class="quiet entity-brief" data-testid="entity-also">
          {texts.of('entities.also', texts.list(also.map(plain)))}
        </p>
      )}
      {known && known.brief !== '' && <Foreign as="p" class="quiet entity-brief" text={known.brief} />}
      {isMerging && (
        <span class="select entity-brief">
          <select
            data-testid="entity-target"
            aria-label={texts.of('entities.merge', name)}
            value=""
            onChange={(event) => onMerge(event.currentTarget.value)}
          >
            <option value="" selected>
              {texts.of('entities.sameAs')}
            </option>
            {others.map((other) => (
              <option key={other.id} value={other.id}>
                {plain(other.name)}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" />
        </span>
      )}
    </li>
  );
}

/** A name that was not found: it is looked up when the plan is researched. */
function AddEntity({ sent, onAdd }: { readonly sent: boolean; readonly onAdd: (name: string) => boolean }) {
  const { texts } = usePanel();
  const [name, setName] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const add = () => {
    if (sent) return;
    if (onAdd(name)) setName('');
    box.current?.focus();
  };
  return (
    <div class="entity-add">
      <input
        ref={box}
        class="input"
        data-testid="entity-name"
        dir="auto"
        maxLength={longest.entity}
        aria-label={texts.of('entities.addLabel')}
        aria-describedby="entity-problem"
        placeholder={texts.of('entities.addLabel')}
        value={name}
        readOnly={sent}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.isComposing) return;
          event.preventDefault();
          add();
        }}
      />
      <Button testId="entity-add" icon="add" disabled={sent} onClick={add}>
        {texts.of('entities.add')}
      </Button>
    </div>
  );
}
