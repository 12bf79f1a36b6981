import { Link, useLocation } from 'wouter-preact';
import type { OrderListItem } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatDate, formatRelative, isToday } from '../../format.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { dateColumn, moneyColumn, sortedBy } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Listing } from '../../ui/listing.tsx';
import { optionsOf } from '../../ui/options.ts';
import { t } from '../../words.ts';
import { addonOrdersFrom } from '../addon-parts.ts';
import { OrderPanel } from './order-panel.tsx';
import { OrderCommission, OrderEarnings, orderStatuses, StatusPill } from './order-words.tsx';
import './orders.css';

const PER_PAGE = 20;
/** The API lists this many orders of a search, and says that there are more. */
const LISTED_MAX = 2_000;
const sorts = ['-date', 'date', '-amount', 'amount', '-commission', 'commission'] as const;
const filters = ['q', 'status', 'from', 'to', 'min', 'max', 'affiliate', 'coupon'];

const columns: Column<OrderListItem>[] = [
  {
    key: 'order',
    label: t('console-orders.order'),
    phone: 'title',
    cell: ({ order_id, number, date }) => (
      <>
        #{order_id} {number !== null && <span class="muted">{number} </span>}
        <span class="phone-only order-date">
          {isToday(date) ? formatDate(date, 'clock') : formatRelative(date)}
        </span>
      </>
    ),
  },
  sortedBy(
    'date',
    dateColumn('date', t('console-orders.date'), 'none', ({ date }) => date),
  ),
  {
    key: 'status',
    label: t('console-orders.status'),
    phone: 'none',
    cell: ({ status }) => <StatusPill status={status} />,
  },
  {
    key: 'affiliate',
    label: t('console-orders.affiliate'),
    phone: 'detail',
    cell: (order) => <Credited order={order} />,
  },
  sortedBy(
    'amount',
    moneyColumn('amount', t('console-orders.amount'), 'aside', ({ total }) => total),
  ),
  {
    key: 'state',
    label: t('console-orders.state'),
    phone: 'state',
    cell: (order) => <OrderEarnings order={order} />,
  },
  {
    key: 'commission',
    label: t('console-orders.commission'),
    isNumber: true,
    sort: 'commission',
    phone: 'none',
    cell: (order) => <OrderCommission order={order} />,
  },
];

/** Every order of the store. Search, filters, order, page and the open order are the address. */
export function Orders() {
  const [, navigate] = useLocation();
  const address = useAddress('/console/orders');
  const sort = address.oneOf('sort', sorts) ?? '-date';
  // The API sorts by commission without amounts.
  const hasAmounts = !sort.endsWith('commission');
  const amount = (name: string) =>
    hasAmounts && address.get(name) !== '' ? Number(address.get(name)) : undefined;
  const input = {
    search: address.get('q') || undefined,
    status: address.oneOf('status', orderStatuses),
    from: address.get('from') || undefined,
    to: address.get('to') || undefined,
    min_amount: amount('min'),
    max_amount: amount('max'),
    affiliate: Number(address.get('affiliate')) || undefined,
    coupon: Number(address.get('coupon')) || undefined,
    sort,
    page: address.page,
    per_page: PER_PAGE,
  };
  const list = useData('orders', input, () => api.orders.list(input));
  const open = Number(address.get('order')) || undefined;
  const isOfOne = input.affiliate ?? input.coupon;
  return (
    <Screen title={t('console.nav.orders')}>
      <FilterBar
        address={address}
        list={list}
        search={t('console-orders.search')}
        filters={[
          {
            name: 'status',
            label: t('console-orders.status'),
            options: optionsOf(orderStatuses, (value) => t(`console-orders.status.${value}`)),
          },
          ...(isOfOne === undefined
            ? []
            : [input.affiliate ? ('affiliate' as const) : ('coupon' as const)].map((name) => ({
                name,
                label: t(`console-orders.of.${name}`),
                options: [{ value: String(isOfOne), label: t(`console-orders.of.${name}`) }],
              }))),
        ]}
        dates
        numbers={
          hasAmounts
            ? [
                { name: 'min', label: t('console-orders.amountFrom') },
                { name: 'max', label: t('console-orders.amountTo') },
              ]
            : []
        }
        sorts={[
          { value: 'date', label: t('console-orders.sort.date') },
          { value: '-amount', label: t('console-orders.sort.amount') },
          { value: '-commission', label: t('console-orders.sort.commission') },
        ]}
      />
      <Listing
        address={address}
        caption={t('console.nav.orders')}
        list={list}
        columns={columns}
        keyOf={({ order_id }) => order_id}
        hrefOf={({ order_id }) => address.hrefOf({ order: String(order_id) })}
        defaultSort="-date"
        filters={filters}
        empty={
          <EmptyState
            of="console-orders.empty"
            action={
              addonOrdersFrom.length > 0 &&
              addonOrdersFrom.map(({ href, action }) => (
                <Link key={href} class="button" data-kind="quiet" href={href}>
                  {t(action)}
                </Link>
              ))
            }
          />
        }
      />
      {list.data !== undefined && list.data.total >= LISTED_MAX && (
        <p class="muted">{t('console-orders.capped', { count: LISTED_MAX })}</p>
      )}
      {open !== undefined && (
        <Dialog
          title={t('console-orders.number', { number: String(open) })}
          onClose={() => navigate(address.hrefOf({ order: undefined }))}
        >
          <OrderPanel orderId={open} heading="h3" />
        </Dialog>
      )}
    </Screen>
  );
}

/** Whom the order is credited to, and by which code. */
function Credited({ order: { referrals } }: { order: OrderListItem }) {
  const [first, ...others] = referrals;
  if (!first) return <span class="muted">{t('console-orders.nobody')}</span>;
  return (
    <span class="credited">
      <span>{first.affiliate?.name ?? t('console-orders.unassigned')}</span>
      <span class="muted">
        {first.coupon_code}
        {others.length > 0 && ` ${t('console-orders.more', { count: others.length })}`}
      </span>
    </span>
  );
}
