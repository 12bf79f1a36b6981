import type { StoreOrder } from '../connector.ts';
import { attributionIn, type LandingAttribution } from '../mapping/landing.ts';
import { storableCodes } from '../mapping/order-limits.ts';
import { objectOf, objectsOf, textOf, type Json } from '../mapping/payload.ts';
import type { Purchase } from './purchase.ts';

/**
 * Promotion codes are the coupons of a purchase. `metadata.ref` of the session, the payment, the invoice or the
 * subscription, or `client_reference_id`, has the code of a link. A renewal has those of the session that began the
 * subscription.
 */
export function attributionOf(
  purchase: Purchase,
  codeParameters: readonly string[],
): Pick<StoreOrder, 'coupon_codes'> & LandingAttribution {
  const { session, invoice, subscription, payment } = purchase;
  const reference = new URLSearchParams({ ref: textOf(session?.['client_reference_id']) ?? '' });
  return {
    coupon_codes: storableCodes([invoice, session].flatMap(promotionCodesIn)),
    ...attributionIn(`/?${reference.toString()}`, ['ref']),
    ...inMetadata(session, codeParameters),
    ...inMetadata(subscription, codeParameters),
    ...inMetadata(payment, codeParameters),
    ...inMetadata(invoice, codeParameters),
  };
}

function promotionCodesIn(part: Json | null): (string | undefined)[] {
  return objectsOf(part?.['discounts']).map(({ promotion_code }) =>
    textOf(objectOf(promotion_code)['code']),
  );
}

function inMetadata(part: Json | null, codeParameters: readonly string[]): LandingAttribution {
  const metadata = new URLSearchParams();
  for (const [name, value] of Object.entries(objectOf(part?.['metadata']))) {
    metadata.append(name, textOf(value) ?? '');
  }
  return attributionIn(`/?${metadata.toString()}`, codeParameters);
}
