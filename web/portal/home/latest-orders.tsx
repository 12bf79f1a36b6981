import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { NoOrders, OrderTable } from '../orders/order-table.tsx';

const SHOWN = 5;

export function LatestOrders() {
  const { me } = useSession();
  const { data, error, retry, stale } = useData('orders', { per_page: SHOWN }, (input) =>
    api.affiliates.orders.list(me.user.id, input),
  );
  return (
    <Card labelledBy="latest">
      <div class="card-head">
        <h2 id="latest">{t('portal.home.latestOrders')}</h2>
        {data && data.items.length > 0 && (
          <Link href="/app/orders">{t('portal.home.allOrders')}</Link>
        )}
      </div>
      {data ? (
        data.items.length > 0 ? (
          <OrderTable
            caption={t('portal.home.latestOrders')}
            orders={data.items}
            hasCodes={me.coupons.length > 1}
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
