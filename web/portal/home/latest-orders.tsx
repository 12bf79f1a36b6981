import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { t } from '../../words.ts';
import { OrderTable } from '../orders/order-table.tsx';

const SHOWN = 5;

export function LatestOrders() {
  const { me } = useSession();
  const { data, error, retry, stale } = useData(`orders:${me.user.id}:latest`, () =>
    api.affiliates.orders.list(me.user.id, { per_page: SHOWN }),
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
          <EmptyState
            title={t('portal.orders.noneTitle')}
            action={
              <Link class="button" data-kind="quiet" href="/app/links">
                {t('portal.orders.noneAction')}
              </Link>
            }
          >
            {t('portal.orders.noneText')}
          </EmptyState>
        )
      ) : error ? (
        <ErrorState error={error} retry={retry} />
      ) : (
        <Skeleton lines={SHOWN} height="2.25rem" />
      )}
    </Card>
  );
}
