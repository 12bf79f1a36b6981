import type { CampaignClicks } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatPercent } from '../../format.ts';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Listing } from '../../ui/listing.tsx';
import { formatNumber, t } from '../../words.ts';
import { chosenCoupon, CouponChoice } from './coupon-choice.tsx';
import type { TabProps } from './tab-props.ts';

/** Where the clicks on a coupon's link come from. The chart of the summary shows them by day. */
export function ClicksTab({ affiliate, address }: TabProps) {
  const coupon = chosenCoupon(affiliate, address);
  return (
    <>
      <CouponChoice affiliate={affiliate} address={address} />
      {coupon !== undefined && <Campaigns key={coupon} couponId={coupon} address={address} />}
    </>
  );
}

function Campaigns({ couponId, address }: { couponId: number; address: TabProps['address'] }) {
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
    {
      key: 'clicks',
      label: t('console-affiliates.clicks'),
      isNumber: true,
      phone: 'aside',
      cell: ({ clicks }) => formatNumber(clicks),
    },
    {
      key: 'conversions',
      label: t('console-affiliates.conversions'),
      isNumber: true,
      phone: 'none',
      cell: ({ conversions }) => formatNumber(conversions),
    },
    {
      key: 'rate',
      label: t('console-affiliates.conversionRate'),
      isNumber: true,
      phone: 'none',
      cell: ({ clicks, conversions }) => (clicks > 0 ? formatPercent(conversions / clicks) : '–'),
    },
  ];
  return (
    <Listing
      address={address}
      caption={t('console-affiliates.tab.clicks')}
      list={list}
      columns={columns}
      keyOf={({ campaign }) => campaign}
      filters={[]}
      empty={
        <EmptyState title={t('console-affiliates.noClicksTitle')}>
          {t('console-affiliates.noClicksText')}
        </EmptyState>
      }
    />
  );
}
