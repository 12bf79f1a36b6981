import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { keyOfOrder, NoOrders, orderColumns } from '../orders/order-table.tsx';

const SHOWN = 5;

export function LatestOrders() {
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
