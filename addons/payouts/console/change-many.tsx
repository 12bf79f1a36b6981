import type { CallOptions } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { Button } from '../../../web/ui/button.tsx';
import { ItemList } from '../../../web/ui/item-list.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';
import { reasonOf, stateName, type PayoutStatus } from './payout-words.ts';
import type { BulkAct } from './tabs.ts';
import type { Chosen, Outcome } from './selection.ts';

interface Change {
  readonly payouts: readonly Chosen[];
  readonly to: BulkAct | 'pending';
  readonly reference?: string | undefined;
}

/**
 * Changes the status of payouts, each by itself. One request per status that they were seen with: a payout that has
 * another one since is left as it is.
 */
export async function changeMany(
  { payouts, to, reference }: Change,
  { idempotencyKey, ...options }: CallOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [from, group] of Map.groupBy(payouts, ({ status }) => status)) {
    const { items } = await api.payouts.batch(
      {
        ids: group.map(({ id }) => id),
        status: to,
        from,
        ...(reference && { transaction_id: reference }),
      },
      { ...options, idempotencyKey: idempotencyKey && `${idempotencyKey}-${from}` },
    );
    const byId = new Map(group.map((payout) => [payout.id, payout]));
    outcomes.push(
      ...items.map(({ id, status, error }) => ({
        payout: byId.get(id)!,
        refusal: error ? refusalOf(error, status) : undefined,
      })),
    );
  }
  return outcomes;
}

/** A payout that someone else has changed is a reason of its own, with what it is now. */
function refusalOf(error: { code: string; message: string }, status: PayoutStatus | null): string {
  if (error.code !== 'svc_api_conflict' || status === null) return reasonOf(error);
  return t('console-payouts.overtaken', { state: stateName(status) });
}

interface BatchResultProps {
  act: BulkAct | 'retry';
  outcomes: readonly Outcome[];
  onClose(): void;
  /** Goes on to the file of the payouts that were approved. */
  onFile?: () => void;
}

/** Each payout by itself: those that were refused first, with their reasons. */
export function BatchResult({ act, outcomes, onClose, onFile }: BatchResultProps) {
  const refused = outcomes.filter(({ refusal }) => refusal !== undefined);
  const done = outcomes.filter(({ refusal }) => refusal === undefined);
  return (
    <>
      {done.length > 0 && (
        <Notice kind="good">{t(`console-payouts.done.${act}`, { count: done.length })}</Notice>
      )}
      {refused.length > 0 && (
        <section class="stack" aria-labelledby="refused-title">
          <Notice kind="warn">
            <strong id="refused-title">
              {t('console-payouts.refused', { count: refused.length })}
            </strong>{' '}
            {t('console-payouts.refusedText')}
          </Notice>
          <OutcomeList outcomes={refused} />
        </section>
      )}
      {done.length > 0 && (
        <details class="review-done">
          <summary>{t('console-payouts.showDone', { count: done.length })}</summary>
          <OutcomeList outcomes={done} />
        </details>
      )}
      <div class="dialog-actions">
        {onFile && act === 'created' && done.length > 0 && (
          <Button onClick={onFile}>{t('console-payouts.file.action')}</Button>
        )}
        <Button kind="quiet" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </>
  );
}

function OutcomeList({ outcomes }: { outcomes: readonly Outcome[] }) {
  return (
    <ItemList
      items={outcomes.map(({ payout, refusal }) => ({
        key: payout.id,
        title: t('console-payouts.payoutOf', { id: String(payout.id), name: payout.name }),
        detail: refusal,
        action: <Money amount={payout.amount} />,
      }))}
    />
  );
}
