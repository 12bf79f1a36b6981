import type { AffiliateOrder } from '../../../sdk/src/index.ts';
import { Link } from 'wouter-preact';
import { useSession } from '../../session.ts';
import { moneyColumn, relativeDateColumn, textColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EarningsPill } from '../../ui/earnings-pill.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../words.ts';

export const keyOfOrder = ({ order_id, coupon_id }: AffiliateOrder) => `${order_id} ${coupon_id}`;

/** `hasCodes`: with several coupons, which one led to the order. */
export function orderColumns(
  orders: readonly AffiliateOrder[],
  hasCodes: boolean,
): Column<AffiliateOrder>[] {
  return [
    textColumn('order', t('portal.orders.order'), 'title', ({ order_id }) => `#${order_id}`),
    relativeDateColumn('date', t('portal.date'), 'detail', ({ date }) => date),
    ...(hasCodes
      ? [
          {
            key: 'code',
            label: t('portal.orders.code'),
            phone: 'none' as const,
            cell: ({ coupon_code }: AffiliateOrder) => coupon_code,
          },
        ]
      : []),
    ...(orders.some(({ sub1 }) => sub1 !== '')
      ? [
          {
            key: 'sub',
            label: t('portal.links.sub', { number: 1 }),
            phone: 'none' as const,
            cell: ({ sub1 }: AffiliateOrder) => sub1,
          },
        ]
      : []),
    moneyColumn('base', t('portal.orders.base'), 'none', ({ base }) => base),
    {
      key: 'state',
      label: t('portal.orders.stateLabel'),
      phone: 'state',
      cell: (order) => <EarningsPill state={order.state} />,
    },
    ...(orders.some(({ hold_until }) => hold_until !== null)
      ? [
          {
            key: 'hold',
            label: t('portal.orders.holdUntil'),
            phone: 'none' as const,
            cell: ({ hold_until }: AffiliateOrder) => hold_until && <Moment date={hold_until} />,
          },
        ]
      : []),
    {
      key: 'commission',
      label: t('portal.orders.commission'),
      isNumber: true,
      phone: 'aside',
      cell: ({ commission, expected }) =>
        expected === null ? (
          <Money amount={commission} />
        ) : (
          <span class="muted">
            <Money amount={expected} />
          </span>
        ),
    },
  ];
}

export function NoOrders() {
  const { me } = useSession();
  return (
    <EmptyState
      of="portal.orders.none"
      action={
        me.coupons.length > 0 && (
          <Link class="button" data-kind="quiet" href="/app/links">
            {t('portal.orders.noneAction')}
          </Link>
        )
      }
    />
  );
}
