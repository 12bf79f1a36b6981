import type { ComponentChildren } from 'preact';
import type { AffiliateBalance, PayoutCheck } from '../../../sdk/src/index.ts';
import { sentenceOfCode } from '../../error-words.ts';
import { formatDate } from '../../format.ts';
import { Money } from '../../ui/money.tsx';
import { rich } from '../../ui/rich.tsx';
import { t } from '../../words.ts';
import { Progress } from '../progress.tsx';
import './balance-sentence.css';

interface BalanceProps {
  balance: AffiliateBalance;
  /** Of the coupon with the largest available balance; undefined where the store offers no payouts. */
  check: PayoutCheck | undefined;
}

/** Codes that only say that the balance is too small, which the sentence says with the missing amount. */
const TOO_SMALL = new Set(['svc_api_below_threshold', 'svc_api_no_balance']);

/** How the money stands, in one sentence that is true in every case, and the way to the minimum. */
export function BalanceSentence({ balance, check }: BalanceProps) {
  const { available, on_hold, on_its_way, awaiting, in_review, taken_back } = balance;
  const strong = (amount: number) => (
    <strong>
      <Money amount={amount} />
    </strong>
  );
  const missing = check ? check.minimum - check.amount : 0;
  const isShort = available > 0 && missing > 0;
  const others = check?.problems.filter(({ code }) => !TOO_SMALL.has(code)) ?? [];
  const hasNothing = [available, on_hold, on_its_way, awaiting, in_review].every(
    (amount) => amount <= 0,
  );
  return (
    <div class="balance-sentence">
      <p class="balance-sentence-main">
        {taken_back > 0 && available <= 0
          ? rich('portal.home.negative', { amount: strong(-taken_back) })
          : null}
        {taken_back <= 0 && hasNothing && balance.paid > 0 && t('portal.home.allPaid')}
        {taken_back <= 0 && hasNothing && balance.paid <= 0 && (
          <>
            {t('portal.home.nothingYet')}
            {balance.coupons.length > 0 && <> {t('portal.home.shareLink')}</>}
          </>
        )}
        {available > 0 && !isShort
          ? rich(check?.possible ? 'portal.home.canWithdraw' : 'portal.home.available', {
              amount: strong(available),
            })
          : null}
        {isShort ? rich('portal.home.toGo', { amount: strong(missing) }) : null}
        {on_hold > 0 && <> {holdSentence(balance, strong(on_hold))}</>}
        {on_hold <= 0 && available <= 0 && awaiting > 0 && (
          <> {rich('portal.home.awaiting', { amount: strong(awaiting) })}</>
        )}
        {in_review > 0 && <> {rich('portal.home.inReview', { amount: strong(in_review) })}</>}
        {on_its_way > 0 && <> {rich('portal.home.onItsWay', { amount: strong(on_its_way) })}</>}
      </p>
      {isShort && check && (
        <Progress value={check.amount} max={check.minimum} label={t('portal.home.progress')}>
          {rich('portal.home.progressOf', {
            amount: <Money amount={check.amount} />,
            minimum: <Money amount={check.minimum} />,
          })}
        </Progress>
      )}
      {available > 0 && others[0] && <p class="muted">{sentenceOfCode(others[0].code)}</p>}
    </div>
  );
}

function holdSentence({ available, holds }: AffiliateBalance, amount: ComponentChildren) {
  const first = holds[0];
  const last = holds.at(-1);
  if (!first || !last) return rich('portal.home.onHold', { amount });
  const date = formatDate(first.until, 'day');
  if (first.until !== last.until) {
    const to = formatDate(last.until, 'day');
    return rich(available > 0 ? 'portal.home.moreOnHoldBetween' : 'portal.home.onHoldBetween', {
      amount,
      from: date,
      to,
    });
  }
  return rich(available > 0 ? 'portal.home.moreOnHoldUntil' : 'portal.home.onHoldUntil', {
    amount,
    date,
  });
}
