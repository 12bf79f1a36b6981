import type { TriedOrder as Tried } from '../../../sdk/src/index.ts';
import { formatMoney } from '../../format.ts';
import { Moment } from '../../ui/moment.tsx';
import { Money } from '../../ui/money.tsx';
import { sentencesOf } from '../../ui/step-sentence.ts';
import { t } from '../../words.ts';
import './tried-order.css';

/** Whom an order that was only tried would be credited to, and what it would earn. */
export function TriedOrder({ order }: { order: Tried }) {
  return (
    <div role="status" class="tried">
      <Credit order={order} />
    </div>
  );
}

function Credit({ order }: { order: Tried }) {
  const [referral] = order.referrals;
  if (!referral) return <p>{t('console-tried-order.nobody')}</p>;
  const { affiliate, coupon_code: code, credited_via: via, payable_from: from } = referral;
  const values = { name: affiliate.display_name, code };
  return (
    <>
      <p>
        {via === 'coupon'
          ? t('console-tried-order.credited.coupon', values)
          : t('console-tried-order.credited.link', values)}
      </p>
      <ul>
        {sentencesOf(referral, 'team')
          .filter(({ step }) => step.step !== 'rounding')
          .map(({ step, sentence }, i) => (
            <li key={i}>
              <span>{sentence}</span>
              <span class="figures">{formatMoney(step.amount)}</span>
            </li>
          ))}
        <li>
          <span>{t('console-tried-order.earns')}</span>
          <Money amount={referral.commission} />
        </li>
      </ul>
      <p class="muted">
        {from === null ? (
          t('console-tried-order.payableNow')
        ) : (
          <>
            {t('console-tried-order.payableFrom')} <Moment date={from} />
          </>
        )}
      </p>
    </>
  );
}
