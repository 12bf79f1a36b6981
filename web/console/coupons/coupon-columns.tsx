import type { CouponDetails } from '../../../sdk/src/index.ts';
import { formatMoney, formatRate } from '../../format.ts';
import { moneyColumn, numberColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';

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
    cell: ({ user }) => (
      <span class="breakable">{user?.display_name ?? t('console-coupons.nobody')}</span>
    ),
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
    numberColumn('rate', t('console-coupons.rate'), 'none', ({ commission }) => rateOf(commission)),
    numberColumn('uses', t('console-coupons.uses'), 'none', ({ stats }) => stats.orders_count),
    moneyColumn('sales', t('console-coupons.sales'), 'aside', ({ stats }) => stats.total_sales),
    moneyColumn(
      'commission',
      t('console-coupons.commission'),
      'none',
      ({ stats }) => stats.total_commission,
    ),
  ];
}

/** `10 % + €2.00`; a fixed amount per product is in the dialog. */
function rateOf({ percent, fixed_per_order: fixed }: CouponDetails['commission']): string {
  const share = formatRate(percent);
  return fixed ? `${share} + ${formatMoney(fixed)}` : share;
}
