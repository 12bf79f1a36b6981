import { fieldsIn, firstWithCode, type LandingAttribution } from '../../mapping/landing.ts';
import { storableCodes } from '../../mapping/order-limits.ts';
import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import type { StoreOrder } from '../connector.ts';
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
  const reference = textOf(session?.['client_reference_id']) ?? '';
  const sources = [invoice, payment, subscription, session].map((part) =>
    fieldsIn(Object.entries(objectOf(part?.['metadata'])), codeParameters),
  );
  return {
    coupon_codes: storableCodes([invoice, session].flatMap(promotionCodesIn)),
    // A reference may also be the store's own; then it is the code of no affiliate.
    ...fieldsIn([['ref', reference]], ['ref']),
    ...firstWithCode([...sources, ofScript(reference)]),
  };
}

const OF_SCRIPT = /^tributary-(\w*)-(\w*)-(\w*)$/;

/**
 * The reference that the script `/t.js` makes: the click or 0, the visitor and the code. Stripe accepts only letters,
 * digits, `-` and `_`, so each other character is `_` and four hexadecimal digits.
 */
function ofScript(reference: string): LandingAttribution {
  const [, clickId = '', visitor = '', code = ''] = OF_SCRIPT.exec(reference) ?? [];
  return fieldsIn(
    [
      ['click_id', clickId],
      ['visitor', decoded(visitor)],
      ['referral_code', decoded(code)],
    ],
    [],
  );
}

function decoded(part: string): string {
  return part.replace(/_([0-9a-f]{4})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function promotionCodesIn(part: Json | null): (string | undefined)[] {
  return objectsOf(part?.['discounts']).map(({ promotion_code }) =>
    textOf(objectOf(promotion_code)['code']),
  );
}
