import { useState } from 'preact/hooks';
import type { CallOptions } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { formatMoney } from '../../../web/format.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Choice } from '../../../web/ui/choice.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { t } from '../../../web/words.ts';
import { BatchResult, changeMany } from './change-many.tsx';
import { ReviewSummary } from './review-summary.tsx';
import { chosen, chosenTotal, keepRefused, type Chosen, type Outcome } from './selection.ts';
import type { BulkAct } from './tabs.ts';
import './review-dialog.css';

interface ReviewDialogProps {
  /** What can be done with the chosen payouts, the usual first. */
  acts: readonly BulkAct[];
  onClose(): void;
  /** Goes on to the file of the payouts that were approved. */
  onFile(payouts: readonly Chosen[]): void;
}

/** The review of many payouts: what a change would do, the change, and what became of each payout. */
export function ReviewDialog({ acts, onClose, onFile }: ReviewDialogProps) {
  const [act, setAct] = useState<BulkAct>(acts[0]!);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const payouts = [...chosen.value.values()];
  const close = () => {
    // What was refused stays chosen; the list shows the reasons.
    if (outcomes) keepRefused(outcomes);
    onClose();
  };
  return (
    <Dialog isWide title={t('console-payouts.review.title')} onClose={close}>
      {outcomes ? (
        <BatchResult
          act={act}
          outcomes={outcomes}
          onClose={close}
          onFile={() => {
            keepRefused([]);
            onFile(outcomes.filter(({ refusal }) => !refusal).map(({ payout }) => payout));
          }}
        />
      ) : payouts.length === 0 ? (
        <EmptyState
          of="console-payouts.review.none"
          action={
            <Button kind="quiet" onClick={close}>
              {t('common.close')}
            </Button>
          }
        />
      ) : (
        <>
          <Choice
            name="act"
            legend={t('console-payouts.review.legend')}
            current={act}
            options={acts.map((value) => ({
              value,
              label: t(`console-payouts.act.${value}`),
              hint: t(`console-payouts.actHint.${value}`),
            }))}
            // The options are the acts.
            onChoose={(value) => setAct(value as BulkAct)}
          />
          <DryRun act={act} payouts={payouts} onDone={setOutcomes} />
        </>
      )}
    </Dialog>
  );
}

interface DryRunProps {
  act: BulkAct;
  payouts: readonly Chosen[];
  onDone(outcomes: readonly Outcome[]): void;
}

function DryRun({ act, payouts, onDone }: DryRunProps) {
  const ids = payouts.map(({ id }) => id);
  const { data, error, stale, retry } = useData('payouts', { ids, status: act }, (input) =>
    api.payouts.dryRun(input),
  );
  if (!data) {
    return <Pending error={error} retry={retry} lines={6} />;
  }
  const submit = async ({ reference }: { reference?: string }, options: CallOptions) => {
    const outcomes = await changeMany({ payouts, to: act, reference }, options);
    await refresh('payouts');
    onDone(outcomes);
  };
  return (
    <>
      <ReviewSummary preview={data} payouts={payouts} stale={stale} />
      <Form
        key={act}
        kind={act === 'cancel' ? 'danger' : 'primary'}
        action={t(`console-payouts.actMany.${act}`, {
          count: payouts.length,
          amount: formatMoney(chosenTotal.value),
        })}
        submit={submit}
      >
        {act === 'paid' && (
          <Field
            name="reference"
            label={t('console-payouts.reference')}
            hint={t('console-payouts.referenceManyHint')}
            maxLength={100}
          />
        )}
      </Form>
    </>
  );
}
