import { useRef, useState } from 'preact/hooks';
import type { DiscoveredEntity } from '../protocol/events.ts';
import { longest, maxEntities } from '../protocol/planBounds.ts';
import type { ProposedEntities } from '../protocol/ports.ts';
import { AskingCard, CardFoot, onControlEnter } from './askingCard.tsx';
import { Button, Foreign, IconButton, Select } from './controls.tsx';
import type { EntityRow } from './entityDraft.ts';
import { type EntityEditor, useEntityEditor } from './entityEditor.ts';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import { useRunState } from './runState.ts';

/** What the report is about, as it was found: to be unticked, merged and added to before it is planned. */
export function EntityCard({ entities, coverage }: ProposedEntities) {
  const { texts, locked, send } = usePanel();
  const list = useRef<HTMLUListElement>(null);
  const editor = useEntityEditor(entities, list);
  const { rows, wanted, problem } = editor;
  const approve = () => {
    if (!editor.check() || locked) return;
    editor.forget();
    send('decision', { type: 'approveEntities', entities: wanted });
  };
  return (
    <AskingCard
      name="entities"
      icon="checklist"
      title={texts.of('entities.ask')}
      testId="entity-card"
      onKeyDown={(event) => onControlEnter(event, approve)}
    >
      <p class="quiet">{texts.of('entities.intro')}</p>
      {coverage !== '' && <Foreign as="p" class="quiet" text={texts.of('entities.coverage', coverage)} />}
      <div class="actions">
        <Button look="link" testId="entities-all" disabled={locked} onClick={() => editor.tickAll(true)}>
          {texts.of('entities.all')}
        </Button>
        <Button look="link" testId="entities-none" disabled={locked} onClick={() => editor.tickAll(false)}>
          {texts.of('entities.none')}
        </Button>
      </div>
      <ul ref={list} class="entity-rows">
        {rows.map((row) => (
          <Entity key={row.id} row={row} known={entities.find(({ name }) => name === row.from[0])} editor={editor} />
        ))}
      </ul>
      <AddEntity onAdd={editor.add} />
      <CardFoot
        name="entities"
        statusId="entities-count"
        status={texts.of('entities.chosen', wanted.length, rows.length)}
        problemId="entity-problem"
        problem={problem ? texts.of(`entities.${problem}`, maxEntities) : ''}
        approve={texts.of('entities.continue')}
        onApprove={approve}
      />
    </AskingCard>
  );
}

interface EntityProps {
  readonly row: EntityRow;
  readonly known: DiscoveredEntity | undefined;
  readonly editor: EntityEditor;
}

function Entity({ row, known, editor }: EntityProps) {
  const { texts, locked } = usePanel();
  const [isMerging, setMerging] = useState(false);
  const also = row.from.filter((name) => name !== row.name);
  const others = editor.rows.filter((other) => other !== row);
  const name = plain(row.name);
  return (
    <li class="entity-row" data-testid="entity">
      <label class="entity-tick">
        <input
          type="checkbox"
          data-testid="entity-tick"
          checked={row.isOn}
          disabled={locked}
          onChange={(event) => editor.tick(row, event.currentTarget.checked)}
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
            disabled={locked}
            onClick={() => editor.split(row)}
          />
        )}
        {others.length > 0 && (
          <IconButton
            icon="merge"
            label={texts.of('entities.merge', name)}
            testId="entity-merge"
            expanded={isMerging}
            disabled={locked}
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
        <Select
          class="entity-brief"
          testId="entity-target"
          label={texts.of('entities.merge', name)}
          placeholder={texts.of('entities.sameAs')}
          options={others.map(({ id }) => id)}
          textOf={(id) => plain(others.find((other) => other.id === id)!.name)}
          onChoose={(target) => editor.merge(row, target)}
        />
      )}
    </li>
  );
}

/** A name that was not found: it is looked up when the plan is researched. */
function AddEntity({ onAdd }: { readonly onAdd: (name: string) => boolean }) {
  const { texts, locked } = usePanel();
  const [name, setName] = useRunState('entity', '');
  const box = useRef<HTMLInputElement>(null);
  const add = () => {
    if (locked) return;
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
        readOnly={locked}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.isComposing) return;
          event.preventDefault();
          add();
        }}
      />
      <Button testId="entity-add" icon="add" disabled={locked} onClick={add}>
        {texts.of('entities.add')}
      </Button>
    </div>
  );
}
