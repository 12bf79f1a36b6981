import type { AffiliateDetails } from '../../../sdk/src/index.ts';
import type { Address } from '../../frame/address.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Card } from '../../ui/card.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';

/** The coupon that a tab shows: the one in the address, or the first. */
export function chosenCoupon(affiliate: AffiliateDetails, address: Address): number | undefined {
  const { coupons } = affiliate;
  return (coupons.find(({ id }) => String(id) === address.get('coupon')) ?? coupons[0])?.id;
}

/** A choice between the coupons of an affiliate who has several. */
export function CouponChoice({
  affiliate,
  address,
}: {
  affiliate: AffiliateDetails;
  address: Address;
}) {
  if (affiliate.coupons.length === 0) {
    return (
      <Card>
        <EmptyState title={t('console-affiliates.noCouponsTitle')}>
          {t('console-affiliates.noCouponsText')}
        </EmptyState>
      </Card>
    );
  }
  if (affiliate.coupons.length === 1) return null;
  return (
    <Segmented
      label={t('console-affiliates.coupon')}
      current={String(chosenCoupon(affiliate, address))}
      options={affiliate.coupons.map(({ id, code }) => ({ value: String(id), label: code }))}
      hrefOf={(coupon) => address.hrefOf({ coupon, page: undefined })}
    />
  );
}
