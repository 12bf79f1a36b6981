import type { CallOptions } from '../../../sdk/src/index.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';

interface DeleteRewardProps {
  kind: 'rule' | 'bonus';
  sentence: string;
  remove(options: CallOptions): Promise<unknown>;
  onClose(): void;
  onDeleted(): Promise<void>;
}

export function DeleteReward({ kind, sentence, remove, onClose, onDeleted }: DeleteRewardProps) {
  return (
    <Dialog title={t(`console-rewards.deleteTitle.${kind}`)} onClose={onClose}>
      <p class="reward-sentence">{sentence}</p>
      <p>{t(`console-rewards.deleteText.${kind}`)}</p>
      <Form
        action={t('console-rewards.delete')}
        kind="danger"
        submit={async (_values, options) => {
          await remove(options);
          await onDeleted();
        }}
      />
    </Dialog>
  );
}
