import { formatNumber, t } from '../../words.ts';

/** On a phone the heads of the columns are not visible, so the card names its number. */
export function OrderCount({ count }: { count: number }) {
  return (
    <>
      <span class="desktop-only">{formatNumber(count)}</span>
      <span class="phone-only">{t('console-overview.orders', { count })}</span>
    </>
  );
}
