import { useState } from 'preact/hooks';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { sentenceOfCode } from '../../../web/error-words.ts';
import { announce } from '../../../web/frame/announcer.tsx';
import { Button } from '../../../web/ui/button.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { SwitchField } from '../../../web/ui/switch-field.tsx';
import { t } from '../../../web/words.ts';

export interface Deciding {
  decision: 'clear' | 'reject';
  ids: readonly number[];
}

interface DecideDialogProps extends Deciding {
  onClose(): void;
  onDone(): void;
}

/** Clears or rejects one case or many. What could not be decided is listed afterwards. */
export function DecideDialog({ decision, ids, onClose, onDone }: DecideDialogProps) {
  const [failed, setFailed] = useState<{ id: number; code: string }[]>([]);
  const count = ids.length;
  const title = t(`console-review.${decision}Count`, { count });
  if (failed.length > 0) {
    return (
      <Dialog title={title} onClose={onDone}>
        <Notice kind="warn">
          {t('console-review.decidedCount', { count: count - failed.length })}
        </Notice>
        <ul>
          {failed.map(({ id, code }) => (
            <li key={id}>
              {t('console-review.number', { id: String(id) })}: {sentenceOfCode(code)}
            </li>
          ))}
        </ul>
        <Button type="button" onClick={onDone}>
          {t('common.close')}
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="muted">{t(`console-review.${decision}Text`)}</p>
      <Form
        kind={decision === 'clear' ? 'primary' : 'danger'}
        action={t(`console-review.${decision}`)}
        isSilent
        submit={async (values, options) => {
          const input = {
            decision: values['suspend'] === undefined ? decision : ('suspend' as const),
            note: values['note'] ?? '',
            tell: values['tell'] !== undefined,
          };
          const refused = await decide(ids, input, options);
          announce(t('console-review.decidedCount', { count: count - refused.length }));
          if (refused.length > 0) setFailed(refused);
          else onDone();
          await refresh('cases', 'overview', 'orders', 'affiliates', 'payouts');
        }}
      >
        <Field name="note" label={t('console-review.note')} maxLength={1000} autocomplete="off" />
        <SwitchField
          name="tell"
          label={t('console-review.tell')}
          hint={t('console-review.tellHint')}
          isOn
        />
        {decision === 'reject' && (
          <SwitchField
            name="suspend"
            label={t('console-review.suspend')}
            hint={t('console-review.suspendHint')}
            isOn={false}
          />
        )}
      </Form>
    </Dialog>
  );
}

type Decision = Parameters<typeof api.cases.decide>[1];
type Options = Parameters<typeof api.cases.decide>[2];

/** Returns those that could not be decided; one alone is refused to the form. */
async function decide(ids: readonly number[], decision: Decision, options: Options) {
  if (ids.length === 1) {
    await api.cases.decide(ids[0]!, decision, options);
    return [];
  }
  const { items } = await api.cases.decideMany({ ids: [...ids], ...decision }, options);
  return items.flatMap(({ id, error }) => (error ? [{ id, code: error.code }] : []));
}
