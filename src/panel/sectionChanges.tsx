import { Button, TextBox } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { sentNow, type Typed, useRunState, useUntilBegun } from './runState.ts';

/** What the user can have done with a section of the finished report; a new version waits until it is accepted. */
export function SectionChanges({ section }: { readonly section: string }) {
  const { texts, host, thread, sent, send } = usePanel();
  const [remark, change] = useRunState<Typed>(`redo/${section}`, { text: '' });
  useUntilBegun(remark, () => change({ text: '' }));
  const cost = thread?.choices.find(({ as }) => as === 'research')?.description ?? '';
  const isPending = sent === 'followUp';
  const redo = (how: { readonly deeper?: true }): void => {
    change({ ...remark, ...sentNow(thread) });
    send('followUp', { type: 'followUp', question: remark.text.trim(), section, ...how });
  };
  return (
    <div class="remark-form">
      <TextBox
        testId="redo-remark"
        aria-label={texts.of('followUp.remark')}
        placeholder={texts.of('followUp.remark')}
        rows={1}
        value={remark.text}
        onType={(text) => change({ text })}
      />
      <div class="actions">
        <Button icon="refresh" testId="redo" title={cost} disabled={isPending} onClick={() => redo({})}>
          {texts.of('followUp.redo')}
        </Button>
        <Button
          icon="telescope"
          testId="deeper"
          title={cost}
          disabled={isPending}
          onClick={() => redo({ deeper: true })}
        >
          {texts.of('followUp.deeper')}
        </Button>
        <Button icon="trash" testId="remove" onClick={() => host.post({ type: 'removeSection', section })}>
          {texts.of('followUp.remove')}
        </Button>
      </div>
      {cost !== '' && <p class="quiet">{texts.of('followUp.redoCost', cost)}</p>}
    </div>
  );
}
