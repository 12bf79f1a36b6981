import type { AffiliateOrder } from '../../../sdk/src/index.ts';
import { t } from '../../words.ts';

/** Why the order earns nothing; undefined if it earns. */
export function reasonIn({ reason, status }: AffiliateOrder): string | undefined {
  if (reason === null) return undefined;
  if (reason === 'order_status') return t(`portal.orders.reason.status.${status}`);
  return t(`portal.orders.reason.${reason}`);
}
