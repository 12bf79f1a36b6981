import { useState } from 'preact/hooks';
import { hasCode, type Payout } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { Choice } from '../../../web/ui/choice.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { t } from '../../../web/words.ts';

const outcomes = ['paid', 'created', 'failed'] as const;
type ResolvedAs = (typeof outcomes)[number];

interface ResolveDialogProps {
  payout: Payout;
  onClose(): void;
  /** With what was done; without it, the gateway or another person was first. */
  onDone(sentence: string | undefined): Promise<void>;
}

/** The gateway did not say what became of a payment: a person looks there, and says it. */
export function ResolveDialog({ payout, onClose, onDone }: ResolveDialogProps) {
  const [outcome, setOutcome] = useState<ResolvedAs>('paid');
  return (
    <Dialog title={t('console-payouts.one.resolve')} onClose={onClose}>
      <p>{t('console-payouts.resolve.text')}</p>
      <Form
        action={t('console-payouts.resolve.action')}
        submit={async ({ reference = '', note = '' }, options) => {
          try {
            await api.payouts.resolve(
              payout.id,
              {
                outcome,
                ...(reference.trim() !== '' && { transaction_id: reference }),
                ...(note.trim() !== '' && { note: note.trim() }),
              },
              options,
            );
          } catch (error) {
            if (
              !hasCode(error, 'svc_api_conflict') &&
              !hasCode(error, 'svc_api_invalid_transition')
            ) {
              throw error;
            }
            await onDone(undefined);
            return;
          }
          await onDone(t('console-payouts.oneDone.resolve'));
        }}
      >
        <Choice
          name="outcome"
          legend={t('console-payouts.resolve.legend')}
          current={outcome}
          options={outcomes.map((value) => ({
            value,
            label: t(`console-payouts.resolve.${value}`),
            hint: t(`console-payouts.resolve.${value}Hint`),
          }))}
          // The options are the outcomes.
          onChoose={(value) => setOutcome(value as ResolvedAs)}
        />
        <Field name="reference" label={t('console-payouts.reference')} maxLength={100} />
        <Field name="note" label={t('console-payouts.resolve.note')} maxLength={500} />
      </Form>
    </Dialog>
  );
}
