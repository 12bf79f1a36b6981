import type { CouponDetails } from '../../../sdk/src/index.ts';
import { formatMoney, formatPercent } from '../../format.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Money } from '../../ui/money.tsx';
import { Pill } from '../../ui/pill.tsx';
import { formatNumber, t } from '../../words.ts';

/** The columns of a list of coupons. Called when a screen is shown: the words are in its chunk. */
export function couponColumns({
  hasAffiliate,
}: {
  hasAffiliate: boolean;
}): readonly Column<CouponDetails>[] {
  const affiliate: Column<CouponDetails> = {
    key: 'affiliate',
    label: t('console-coupons.affiliate'),
    phone: 'detail',
    cell: ({ user }) => user?.display_name ?? t('console-coupons.nobody'),
  };
  return [
    {
      key: 'code',
      label: t('console-coupons.code'),
      ...(hasAffiliate && { sort: 'code' }),
      phone: 'title',
      cell: ({ code }) => code,
    },
    ...(hasAffiliate ? [affiliate] : []),
    {
      key: 'status',
      label: t('console-coupons.status'),
      phone: 'state',
      cell: ({ status }) =>
        status === 'disabled' ? (
          <Pill kind="warn">{t('console-coupons.status.disabled')}</Pill>
        ) : (
          <span class="muted">{t('console-coupons.status.active')}</span>
        ),
    },
    {
      key: 'rate',
      label: t('console-coupons.rate'),
      isNumber: true,
      phone: 'none',
      cell: ({ commission }) => rateOf(commission),
    },
    {
      key: 'uses',
      label: t('console-coupons.uses'),
      isNumber: true,
      phone: 'none',
      cell: ({ stats }) => formatNumber(stats.orders_count),
    },
    {
      key: 'sales',
      label: t('console-coupons.sales'),
      isNumber: true,
      phone: 'aside',
      cell: ({ stats }) => <Money amount={stats.total_sales} />,
    },
    {
      key: 'commission',
      label: t('console-coupons.commission'),
      isNumber: true,
      phone: 'none',
      cell: ({ stats }) => <Money amount={stats.total_commission} />,
    },
  ];
}

/** `10 % + €2.00`; a fixed amount per product is in the dialog. */
function rateOf({ percent, fixed_per_order: fixed }: CouponDetails['commission']): string {
  const share = formatPercent(percent / 100, 2);
  return fixed ? `${share} + ${formatMoney(fixed)}` : share;
}
