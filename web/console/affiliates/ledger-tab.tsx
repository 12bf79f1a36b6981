import type { LedgerEntry } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../words.ts';
import { chosenCoupon, CouponChoice } from './coupon-choice.tsx';
import type { TabProps } from './tab-props.ts';

/** Every movement on a coupon, with the balance after it. */
export function LedgerTab({ affiliate, address }: TabProps) {
  const coupon = chosenCoupon(affiliate, address);
  return (
    <>
      <CouponChoice affiliate={affiliate} address={address} />
      {coupon !== undefined && <Entries key={coupon} couponId={coupon} address={address} />}
    </>
  );
}

function Entries({ couponId, address }: { couponId: number; address: TabProps['address'] }) {
  const { page } = address;
  const list = useData('affiliates', { couponId, part: 'ledger', page }, () =>
    api.coupons.ledger.list(couponId, { page, per_page: 25 }),
  );
  const columns: readonly Column<LedgerEntry>[] = [
    {
      key: 'what',
      label: t('console-affiliates.entry'),
      phone: 'title',
      cell: (entry) => titleOf(entry),
    },
    {
      key: 'date',
      label: t('console-affiliates.date'),
      phone: 'detail',
      cell: ({ date }) => <Moment date={date} />,
    },
    {
      key: 'way',
      label: t('console-affiliates.way'),
      phone: 'state',
      cell: ({ from, to }) =>
        `${t(`console-affiliates.ledgerPool.${from}`)} → ${t(`console-affiliates.ledgerPool.${to}`)}`,
    },
    {
      key: 'amount',
      label: t('console-affiliates.amount'),
      isNumber: true,
      phone: 'aside',
      cell: ({ amount }) => <Money amount={amount} />,
    },
    {
      key: 'unpaid',
      label: t('console-affiliates.availableAfter'),
      isNumber: true,
      phone: 'none',
      cell: ({ balances }) => <Money amount={balances.unpaid_commission} />,
    },
  ];
  return (
    <Listing
      address={address}
      caption={t('console-affiliates.tab.ledger')}
      list={list}
      columns={columns}
      keyOf={({ id }) => id}
      filters={[]}
      empty={
        <EmptyState title={t('console-affiliates.noLedgerTitle')}>
          {t('console-affiliates.noLedgerText')}
        </EmptyState>
      }
    />
  );
}

function titleOf({ kind, order_id, note }: LedgerEntry): string {
  if (kind === 'order' && order_id !== null) {
    return t('console-affiliates.entryOfOrder', { order: String(order_id) });
  }
  return note === '' ? t(`console-affiliates.kind.${kind}`) : note;
}
