import type { CampaignClicks, Coupon, SourceClicks } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { daysAgo, formatPercent } from '../../format.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { moneyColumn, numberColumn } from '../../ui/columns.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';

const DAYS = 90;

/** Which campaigns bring clicks and orders. */
export function Campaigns({ coupon }: { coupon: Coupon }) {
  const { data, error, retry, stale } = useData('campaigns', { id: coupon.id }, () =>
    api.coupons.campaigns.list(coupon.id, { from: daysAgo(DAYS - 1) }),
  );
  return (
    <Card title={t('portal-links.campaigns')} aside={<LastDays />}>
      {data ? (
        data.items.length > 0 ? (
          <ClickTable
            caption={t('portal-links.campaigns')}
            label={t('portal-links.campaign')}
            rows={data.items.map(({ campaign, ...clicks }) => ({ name: campaign, ...clicks }))}
            stale={stale}
          />
        ) : (
          <EmptyState of="portal-links.noClicks" />
        )
      ) : (
        <Pending error={error} retry={retry} lines={4} height="2rem" />
      )}
    </Card>
  );
}

/** Which first sub-ids bring clicks and orders; nothing for affiliates who use none. */
export function SubIds({ coupon }: { coupon: Coupon }) {
  const { me } = useSession();
  const { data, stale } = useData('sources', { coupon: coupon.id }, (input) =>
    api.affiliates.sources.list(me.user.id, { ...input, from: daysAgo(DAYS - 1) }),
  );
  if (!data || data.items.length === 0) return null;
  return (
    <Card title={t('portal-links.bySub')} aside={<LastDays />}>
      <ClickTable
        caption={t('portal-links.bySub')}
        label={t('portal.links.sub', { number: 1 })}
        rows={data.items}
        stale={stale}
        further={salesColumns()}
      />
    </Card>
  );
}

function LastDays() {
  return <p class="muted">{t('portal.home.days', { count: DAYS })}</p>;
}

const salesColumns = (): Column<SourceClicks>[] => [
  moneyColumn('sales', t('portal-links.sales'), 'none', ({ sales }) => sales),
  moneyColumn('commission', t('portal.orders.commission'), 'state', ({ commission }) => commission),
];

type NamedClicks = Omit<CampaignClicks, 'campaign'> & { name: string };

interface ClickTableProps<R extends NamedClicks> {
  caption: string;
  /** Of the names. */
  label: string;
  rows: readonly R[];
  stale: boolean;
  further?: readonly Column<R>[];
}

function ClickTable<R extends NamedClicks>(props: ClickTableProps<R>) {
  const { caption, label, rows, stale, further = [] } = props;
  return (
    <DataTable<R>
      caption={caption}
      rows={rows}
      keyOf={({ name }) => name}
      stale={stale}
      columns={[
        {
          key: 'name',
          label,
          phone: 'title',
          cell: ({ name }) =>
            name === '' ? <span class="muted">{t('portal-links.noCampaign')}</span> : name,
        },
        numberColumn('clicks', t('portal.home.figure.clicks'), 'aside', ({ clicks }) => clicks),
        numberColumn(
          'conversions',
          t('portal.home.figure.orders'),
          'detail',
          ({ conversions }) => conversions,
        ),
        {
          key: 'conversion',
          label: t('portal.home.figure.conversion'),
          isNumber: true,
          // A card has room for one of them.
          phone: further.length === 0 ? 'state' : 'none',
          cell: ({ conversion_rate }) => formatPercent(conversion_rate / 100),
        },
        ...further,
      ]}
    />
  );
}
