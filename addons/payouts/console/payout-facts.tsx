import { Link } from 'wouter-preact';
import type { Payout } from '../../../sdk/src/index.ts';
import { Card } from '../../../web/ui/card.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { t } from '../../../web/words.ts';
import { Destination } from './destination.tsx';
import { namedAct, type PayoutAct } from './payout-acts.ts';
import { StatePill } from './payout-columns.tsx';
import { methodName } from './payout-words.ts';

interface PayoutFactsProps {
  payout: Payout;
  acts: readonly PayoutAct[];
  hrefOf(act: PayoutAct): string;
}

export function PayoutFacts({ payout, acts, hrefOf }: PayoutFactsProps) {
  return (
    <Card labelledBy="payout-amount">
      <div class="detail-head">
        <h2 id="payout-amount" class="detail-amount">
          <Money amount={payout.amount} />
        </h2>
        <StatePill status={payout.status} />
        <div class="detail-acts">
          {acts.map((act, position) => (
            <Link
              key={act}
              class="button"
              data-kind={kindOf(namedAct(act, payout.status), position)}
              href={hrefOf(act)}
              replace
            >
              {t(`console-payouts.one.${namedAct(act, payout.status)}`)}
            </Link>
          ))}
        </div>
      </div>
      <Facts
        facts={[
          {
            name: t('console-payouts.affiliate'),
            value: (
              <Link href={`/console/affiliates/${payout.user.id}`}>{payout.user.display_name}</Link>
            ),
          },
          { name: t('console-payouts.code'), value: payout.coupon_code },
          {
            name: t('console-payouts.method'),
            value: methodName(payout.method_type, payout.method),
          },
          payout.has_details && {
            name: t('console-payouts.destination'),
            value: <Destination payout={payout} />,
          },
          { name: t('console-payouts.requested'), value: <Moment date={payout.date} /> },
          payout.date_paid !== null && {
            name: t('console-payouts.paidAt'),
            value: <Moment date={payout.date_paid} />,
          },
          payout.transaction_id !== '' && {
            name: t('console-payouts.reference'),
            value: payout.transaction_id,
          },
        ]}
      />
    </Card>
  );
}

function kindOf(act: PayoutAct | 'reverse', position: number): 'primary' | 'quiet' | 'danger' {
  if (act === 'cancel' || act === 'reverse') return 'danger';
  return position === 0 && act !== 'reopen' ? 'primary' : 'quiet';
}
