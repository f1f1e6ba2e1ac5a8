import { Button } from './controls.tsx';
import { usePanel } from './panelContext.ts';

/** What can be done with a plan or a brief. */
export function ApprovalActions({
  sent,
  onApprove,
  onStop,
}: {
  readonly sent: boolean;
  readonly onApprove: () => void;
  readonly onStop: () => void;
}) {
  const { texts } = usePanel();
  return (
    <div class="actions">
      <Button
        look="primary"
        testId="approve-plan"
        title={texts.of('plan.approveTitle')}
        disabled={sent}
        onClick={onApprove}
      >
        {texts.of('plan.approve')}
      </Button>
      <Button testId="stop-plan" disabled={sent} onClick={onStop}>
        {texts.of('action.stop')}
      </Button>
    </div>
  );
}
