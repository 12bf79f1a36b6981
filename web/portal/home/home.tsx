import { Link } from 'wouter-preact';
import type { PayoutCheck } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState, Pending } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { t } from '../../words.ts';
import { Screen } from '../../frame/screen.tsx';
import { BalanceSentence } from './balance-sentence.tsx';
import { Figures } from './figures.tsx';
import { LinkCard } from './link-card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { AddonParts } from '../addon-parts.tsx';
import { keyOfOrder, NoOrders, orderColumns } from '../orders/order-table.tsx';
import './home.css';

export function Home() {
  const { me } = useSession();
  const { data, canWithdraw, needsDetails } = useBalance();
  return (
    <Screen title={t('portal.home.greeting', { name: me.user.display_name })}>
      <Balance />
      {/* Sharing is what there is to do while there is no money to take care of. */}
      <LinkCard isFirst={data !== undefined && !canWithdraw && !needsDetails} />
      <Figures />
      <LatestOrders />
      <AddonParts place="home" />
    </Screen>
  );
}

const lacksDetails = (check: PayoutCheck | undefined) =>
  check?.problems.some(({ code }) => code === 'svc_api_no_payout_details') ?? false;

/** The balance, and what can be done with it now. */
function useBalance() {
  const { me, program, isView } = useSession();
  const loaded = useData('balance', { part: 'home' }, async () => {
    const balance = await api.affiliates.balance(me.user.id);
    const best = balance.coupons.toSorted((a, b) => b.available - a.available)[0];
    const hasPayouts = program.payout_minimum !== null;
    const check = best && hasPayouts ? await api.coupons.payoutCheck(best.id) : undefined;
    return { balance, check };
  });
  const { balance, check } = loaded.data ?? {};
  const canWithdraw = check?.possible === true && !isView;
  const needsDetails = (balance?.available ?? 0) > 0 && lacksDetails(check) && !isView;
  return { ...loaded, canWithdraw, needsDetails };
}

function Balance() {
  const { data, error, retry, canWithdraw, needsDetails } = useBalance();
  return (
    <Card title={<span class="visually-hidden">{t('portal.home.balance')}</span>}>
      <div class="home-balance">
        {data ? (
          <>
            <BalanceSentence balance={data.balance} check={data.check} />
            {canWithdraw && (
              <Link class="button" data-kind="primary" href="/app/money">
                {t('portal.home.withdraw')}
              </Link>
            )}
            {needsDetails && (
              <Link class="button" data-kind="primary" href="/app/payout-details?change=1">
                {t('portal.money.toDetails')}
              </Link>
            )}
          </>
        ) : error ? (
          <ErrorState error={error} retry={retry} />
        ) : (
          <div class="home-balance-loading">
            <Skeleton lines={2} height="1.6rem" />
          </div>
        )}
      </div>
    </Card>
  );
}

const SHOWN = 5;

function LatestOrders() {
  const { me } = useSession();
  const { data, error, retry, stale } = useData('orders', { per_page: SHOWN }, (input) =>
    api.affiliates.orders.list(me.user.id, input),
  );
  return (
    <Card
      title={t('portal.home.latestOrders')}
      aside={
        data &&
        data.items.length > 0 && <Link href="/app/orders">{t('portal.home.allOrders')}</Link>
      }
    >
      {data ? (
        data.items.length > 0 ? (
          <DataTable
            caption={t('portal.home.latestOrders')}
            columns={orderColumns(data.items, me.coupons.length > 1)}
            rows={data.items}
            keyOf={keyOfOrder}
            hrefOf={({ order_id }) => `/app/orders?order=${order_id}`}
            stale={stale}
          />
        ) : (
          <NoOrders />
        )
      ) : (
        <Pending error={error} retry={retry} lines={SHOWN} height="2.25rem" />
      )}
    </Card>
  );
}
