import type { Approval } from '../connector.ts';
import { isObject } from '../../mapping/payload.ts';

/**
 * WooCommerce's own page on which an owner approves access. The store then creates a key and sends it, unsigned, to
 * `callbackUrl`, which it accepts with https only; it keeps the key only if the answer is 200.
 */
export const approval: Approval = {
  url(storeUrl, { requestId, callbackUrl, returnUrl }) {
    const query = new URLSearchParams({
      app_name: 'Tributary',
      scope: 'read_write',
      user_id: String(requestId),
      return_url: returnUrl,
      callback_url: callbackUrl,
    });
    return `${storeUrl}/wc-auth/v1/authorize?${query.toString()}`;
  },

  /** The store also sends the id of the key, the permission and `user_id`. */
  credentialsIn(payload) {
    if (!isObject(payload)) return undefined;
    const { consumer_key, consumer_secret } = payload;
    if (typeof consumer_key !== 'string' || typeof consumer_secret !== 'string') return undefined;
    return { consumer_key, consumer_secret };
  },
};
