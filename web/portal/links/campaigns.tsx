import type { CampaignClicks, Coupon } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { daysAgo, formatPercent } from '../../format.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { formatNumber, t } from '../../words.ts';

const DAYS = 90;

/** Which campaigns bring clicks and orders. */
export function Campaigns({ coupon }: { coupon: Coupon }) {
  const { data, error, retry, stale } = useData('campaigns', { id: coupon.id }, () =>
    api.coupons.campaigns.list(coupon.id, { from: daysAgo(DAYS - 1) }),
  );
  return (
    <Card
      title={t('portal.links.campaigns')}
      aside={<p class="muted">{t('portal.home.days', { count: DAYS })}</p>}
    >
      {data ? (
        data.items.length > 0 ? (
          <DataTable
            caption={t('portal.links.campaigns')}
            rows={data.items}
            keyOf={({ campaign }: CampaignClicks) => campaign}
            stale={stale}
            columns={[
              {
                key: 'campaign',
                label: t('portal.links.campaign'),
                phone: 'title',
                cell: ({ campaign }) =>
                  campaign === '' ? (
                    <span class="muted">{t('portal.links.noCampaign')}</span>
                  ) : (
                    campaign
                  ),
              },
              {
                key: 'clicks',
                label: t('portal.home.figure.clicks'),
                isNumber: true,
                phone: 'aside',
                cell: ({ clicks }) => formatNumber(clicks),
              },
              {
                key: 'conversions',
                label: t('portal.home.figure.orders'),
                isNumber: true,
                phone: 'detail',
                cell: ({ conversions }) => formatNumber(conversions),
              },
              {
                key: 'conversion',
                label: t('portal.home.figure.conversion'),
                isNumber: true,
                phone: 'state',
                cell: ({ conversion_rate }) => formatPercent(conversion_rate / 100),
              },
            ]}
          />
        ) : (
          <EmptyState title={t('portal.links.noClicksTitle')}>
            {t('portal.links.noClicksText')}
          </EmptyState>
        )
      ) : (
        <Pending error={error} retry={retry} lines={4} height="2rem" />
      )}
    </Card>
  );
}
