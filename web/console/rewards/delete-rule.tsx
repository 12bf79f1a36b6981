import type { RewardRule } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';

interface DeleteRuleProps {
  rule: RewardRule;
  onClose(): void;
  onDeleted(): Promise<void>;
}

export function DeleteRule({ rule, onClose, onDeleted }: DeleteRuleProps) {
  return (
    <Dialog title={t('console-rewards.deleteTitle')} onClose={onClose}>
      <p class="reward-sentence">{rule.sentence}</p>
      <p>{t('console-rewards.deleteText')}</p>
      <Form
        action={t('console-rewards.delete')}
        kind="danger"
        submit={async (_values, options) => {
          await api.rewards.rules.delete(rule.id, { version: rule.version }, options);
          await onDeleted();
        }}
      />
    </Dialog>
  );
}
