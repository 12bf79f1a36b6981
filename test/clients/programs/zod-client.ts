import { createClient as createStoreClient } from './generated/zod/store/client';
import { postCoupons, putOrdersOrderId } from './generated/zod/store/sdk.gen';
import { createClient } from './generated/zod/v2/client';
import { getCoupons, getCouponsId } from './generated/zod/v2/sdk.gen';
import type { WebhookMessage } from './generated/zod/v2/types.gen';
import { zCoupon, zWebhookMessage } from './generated/zod/v2/zod.gen';
import type { Outcome, Service } from './program.ts';

/** What an integrator writes with the functions of Hey API: every answer is parsed with zod. */
export async function run(service: Service): Promise<Outcome> {
  const { headers } = service;
  const v2 = createClient({ baseUrl: service.v2, headers });
  const store = createStoreClient({ baseUrl: service.store, headers });

  const coupon = await postCoupons({
    client: store,
    body: { code: 'ZOD10', user_id: 3 },
    headers: { 'Idempotency-Key': 'zod-1' },
  });
  if (!coupon.data) throw new Error(JSON.stringify(coupon.error));
  const order = await putOrdersOrderId({
    client: store,
    path: { order_id: 5003 },
    body: {
      date: '2026-01-20T14:05:09',
      status: 'completed',
      total: 125,
      coupon_codes: [coupon.data.code],
    },
  });

  const listed: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, response } = await getCoupons({ client: v2, query: { page, per_page: 1 } });
    listed.push(...(data ?? []).map((one) => zCoupon.parse(one).id));
    pages = Number(response?.headers.get('X-Svc-TotalPages'));
  }

  const absent = await getCouponsId({ client: v2, path: { id: 987_654 } });
  if (!absent.error || !('code' in absent.error)) throw new Error('it was found');
  // zod refuses the page before it is sent.
  const tooMany = await getCoupons({ client: v2, query: { per_page: 101 } });
  return {
    created: coupon.data.id,
    listed,
    notFound: absent.error.code,
    refused: tooMany.data === undefined ? { per_page: 'refused' } : {},
    commission: order.data?.referrals[0]?.commission,
  };
}

/** What a receiver does with a delivery: it is parsed, and its type tells what its data is. */
export function readDelivery(body: string): string {
  const message: WebhookMessage = zWebhookMessage.parse(JSON.parse(body));
  switch (message.type) {
    case 'referral.created':
      return `order ${message.data.order_id} earns ${message.data.commission} ${message.data.currency}`;
    case 'coupon.created':
      return `coupon ${message.data.coupon_id}`;
    case 'ping':
      return `ping of ${message.data.webhook_id}`;
    default:
      return message.type;
  }
}

/** Whether zod refuses a delivery. */
export function isRefused(body: unknown): boolean {
  return !zWebhookMessage.safeParse(body).success;
}
