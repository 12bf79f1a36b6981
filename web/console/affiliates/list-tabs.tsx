import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type {
  AffiliateOrder,
  CampaignClicks,
  LedgerEntry,
  SourceClicks,
} from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData, type Loaded } from '../../data.ts';
import { formatPercent } from '../../format.ts';
import type { Address } from '../../frame/address.ts';
import { Card } from '../../ui/card.tsx';
import { dateColumn, moneyColumn, numberColumn, textColumn } from '../../ui/columns.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EarningsPill } from '../../ui/earnings-pill.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Money } from '../../ui/money.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';
import type { TabProps } from './tab-props.ts';

const PER_PAGE = 25;

interface TabListProps<Row> {
  tab: 'orders' | 'clicks' | 'ledger' | 'activity';
  address: Address;
  list: Loaded<{ items: readonly Row[]; pages: number }>;
  columns: readonly Column<Row>[];
  keyOf(row: Row): string | number;
  hrefOf?: (row: Row) => string;
}

function TabList<Row>({ tab, ...list }: TabListProps<Row>) {
  return (
    <Listing
      caption={t(`console-affiliates.tab.${tab}`)}
      filters={[]}
      empty={
        <EmptyState title={t(`console-affiliates.none.${tab}.title`)}>
          {t(`console-affiliates.none.${tab}.text`)}
        </EmptyState>
      }
      {...list}
    />
  );
}

export function OrdersTab({ affiliate: { id }, address }: TabProps) {
  const { page } = address;
  const list = useData('affiliates', { id, part: 'orders', page }, () =>
    api.affiliates.orders.list(id, { page, per_page: PER_PAGE }),
  );
  const columns: readonly Column<AffiliateOrder>[] = [
    textColumn('number', t('console-affiliates.order'), 'title', ({ order_id }) => `#${order_id}`),
    dateColumn('date', t('console-affiliates.date'), 'detail', ({ date }) => date),
    textColumn('code', t('console-affiliates.code'), 'none', ({ coupon_code }) => coupon_code),
    {
      key: 'state',
      label: t('console-affiliates.state'),
      phone: 'state',
      cell: ({ state }) => <EarningsPill state={state} />,
    },
    moneyColumn('sales', t('console-affiliates.sales'), 'none', ({ sales }) => sales),
    {
      key: 'commission',
      label: t('console-affiliates.commission'),
      isNumber: true,
      phone: 'aside',
      cell: ({ commission, expected }) => (
        <span class={expected === null ? '' : 'muted'}>
          <Money amount={expected ?? commission} />
        </span>
      ),
    },
  ];
  return (
    <TabList
      tab="orders"
      {...{ address, list, columns }}
      keyOf={({ order_id, coupon_id }) => `${order_id} ${coupon_id}`}
      hrefOf={({ order_id }) => `/console/orders/${order_id}`}
    />
  );
}

/** Where the clicks on a coupon's link come from. The chart of the summary shows them by day. */
export function ClicksTab(props: TabProps) {
  return (
    <OfCoupon {...props}>
      {(coupon) => (
        <>
          <Campaigns {...props} couponId={coupon} />
          <SubIds {...props} couponId={coupon} />
        </>
      )}
    </OfCoupon>
  );
}

function Campaigns({ couponId, address }: TabProps & { couponId: number }) {
  const list = useData('affiliates', { couponId, part: 'campaigns' }, () =>
    api.coupons.campaigns.list(couponId),
  );
  const columns: readonly Column<CampaignClicks>[] = [
    {
      key: 'campaign',
      label: t('console-affiliates.campaign'),
      phone: 'title',
      cell: ({ campaign }) => campaign || t('console-affiliates.noCampaign'),
    },
    ...clickColumns(),
  ];
  return (
    <TabList tab="clicks" {...{ address, list, columns }} keyOf={({ campaign }) => campaign} />
  );
}

/** The clicks by the affiliate's own ids; nothing for affiliates who use none. */
function SubIds({ affiliate: { id }, couponId }: TabProps & { couponId: number }) {
  const { data, stale } = useData('affiliates', { id, couponId, part: 'sources' }, () =>
    api.affiliates.sources.list(id, { coupon: couponId }),
  );
  if (!data || data.items.length === 0) return null;
  const columns: readonly Column<SourceClicks>[] = [
    textColumn('name', t('console-affiliates.sub'), 'title', ({ name }) => name),
    ...clickColumns(),
  ];
  return (
    <Card title={t('console-affiliates.bySub')}>
      <DataTable
        caption={t('console-affiliates.bySub')}
        rows={data.items}
        keyOf={({ name }) => name}
        {...{ columns, stale }}
      />
    </Card>
  );
}

function clickColumns(): Column<Pick<CampaignClicks, 'clicks' | 'conversions'>>[] {
  return [
    numberColumn('clicks', t('console-affiliates.clicks'), 'aside', ({ clicks }) => clicks),
    numberColumn(
      'conversions',
      t('console-affiliates.conversions'),
      'none',
      ({ conversions }) => conversions,
    ),
    numberColumn(
      'rate',
      t('console-affiliates.conversionRate'),
      'none',
      ({ clicks, conversions }) => (clicks > 0 ? formatPercent(conversions / clicks) : '–'),
    ),
  ];
}

/** Every movement on a coupon, with the balance after it. */
export function LedgerTab(props: TabProps) {
  return <OfCoupon {...props}>{(coupon) => <Entries {...props} couponId={coupon} />}</OfCoupon>;
}

function Entries({ couponId, address }: TabProps & { couponId: number }) {
  const { page } = address;
  const list = useData('affiliates', { couponId, part: 'ledger', page }, () =>
    api.coupons.ledger.list(couponId, { page, per_page: PER_PAGE }),
  );
  const columns: readonly Column<LedgerEntry>[] = [
    {
      key: 'what',
      label: t('console-affiliates.entry'),
      phone: 'title',
      cell: titleOf,
    },
    dateColumn('date', t('console-affiliates.date'), 'detail', ({ date }) => date),
    {
      key: 'way',
      label: t('console-affiliates.way'),
      phone: 'state',
      cell: ({ from, to }) =>
        `${t(`console-affiliates.ledgerPool.${from}`)} → ${t(`console-affiliates.ledgerPool.${to}`)}`,
    },
    moneyColumn('amount', t('console-affiliates.amount'), 'aside', ({ amount }) => amount),
    moneyColumn(
      'unpaid',
      t('console-affiliates.availableAfter'),
      'none',
      ({ balances }) => balances.unpaid_commission,
    ),
  ];
  return <TabList tab="ledger" {...{ address, list, columns }} keyOf={({ id }) => id} />;
}

function titleOf({ kind, order_id, note }: LedgerEntry): ComponentChildren {
  if (kind === 'order' && order_id !== null) {
    return (
      <Link href={`/console/orders/${order_id}`}>
        {t('console-affiliates.entryOfOrder', { order: String(order_id) })}
      </Link>
    );
  }
  return note === '' ? t(`console-affiliates.kind.${kind}`) : note;
}

/** A tab about one coupon: that of the address or the first, with a choice if there are several. */
function OfCoupon(props: TabProps & { children(couponId: number): ComponentChildren }) {
  const { coupons } = props.affiliate;
  const { address } = props;
  const chosen = coupons.find(({ id }) => String(id) === address.get('coupon')) ?? coupons[0];
  if (!chosen) {
    return (
      <Card>
        <EmptyState of="console-affiliates.noCoupons" />
      </Card>
    );
  }
  return (
    <>
      {coupons.length > 1 && (
        <Segmented
          label={t('console-affiliates.coupon')}
          current={String(chosen.id)}
          options={coupons.map(({ id, code }) => ({ value: String(id), label: code }))}
          hrefOf={(coupon) => address.hrefOf({ coupon, page: undefined })}
        />
      )}
      {props.children(chosen.id)}
    </>
  );
}
