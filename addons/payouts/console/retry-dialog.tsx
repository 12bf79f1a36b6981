import { useState } from 'preact/hooks';
import { hasCode, TributaryError, type CallOptions } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { formatMoney } from '../../../web/format.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { t } from '../../../web/words.ts';
import { BatchResult } from './change-many.tsx';
import { reasonOf } from './payout-words.ts';
import { chosen, chosenTotal, keepRefused, type Chosen, type Outcome } from './selection.ts';

/** Tries failed payouts again, each by itself. */
export function RetryDialog({ onClose }: { onClose(): void }) {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const payouts = [...chosen.value.values()];
  const close = () => {
    if (outcomes) keepRefused(outcomes);
    onClose();
  };
  return (
    <Dialog title={t('console-payouts.retry.title')} onClose={close}>
      {outcomes ? (
        <BatchResult act="retry" outcomes={outcomes} onClose={close} />
      ) : (
        <>
          <p>{t('console-payouts.retry.text')}</p>
          {payouts.length > 0 && (
            <Form
              action={t('console-payouts.retry.many', {
                count: payouts.length,
                amount: formatMoney(chosenTotal.value),
              })}
              submit={async (_values, options) => {
                const results: Outcome[] = [];
                for (const payout of payouts) results.push(await retryOne(payout, options));
                await refresh('payouts');
                setOutcomes(results);
              }}
            />
          )}
        </>
      )}
    </Dialog>
  );
}

async function retryOne(
  payout: Chosen,
  { idempotencyKey, ...options }: CallOptions,
): Promise<Outcome> {
  try {
    const key = idempotencyKey && `${idempotencyKey}-${payout.id}`;
    await api.payouts.retry(payout.id, { ...options, idempotencyKey: key });
    return { payout };
  } catch (error) {
    if (!(error instanceof TributaryError) || isAboutAll(error)) throw error;
    return { payout, refusal: reasonOf(error) };
  }
}

/** An ended session, an old proof or a lost connection. A payout that was retried answers the same when sent again. */
function isAboutAll(error: Pick<TributaryError, 'status'>): boolean {
  return error.status === 401 || error.status >= 500 || hasCode(error, 'svc_api_proof_required');
}
