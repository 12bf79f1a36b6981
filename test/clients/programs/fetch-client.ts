import createClient from 'openapi-fetch';
import type { components, paths as StorePaths } from './generated/fetch/store.ts';
import type { components as V2Components, paths as V2Paths } from './generated/fetch/v2.ts';
import type { Outcome, Service } from './program.ts';

type Coupon = V2Components['schemas']['Coupon'];
type NewCoupon = components['schemas']['CreateCoupon'];
type FeedEvent = V2Components['schemas']['FeedEvent'];

/** What an integrator writes with openapi-typescript and openapi-fetch. */
export async function run(service: Service): Promise<Outcome> {
  const { headers } = service;
  const v2 = createClient<V2Paths>({ baseUrl: service.v2, headers });
  const store = createClient<StorePaths>({ baseUrl: service.store, headers });

  const body: NewCoupon = { code: 'FETCH10', user_id: 3 };
  const coupon = await store.POST('/coupons', {
    body,
    params: { header: { 'Idempotency-Key': 'fetch-1' } },
  });
  if (!coupon.data) throw new Error(coupon.error.message);

  const order = await store.PUT('/orders/{order_id}', {
    params: { path: { order_id: 5001 } },
    body: {
      date: '2026-01-20T14:05:09',
      status: 'completed',
      total: 125,
      coupon_codes: [coupon.data.code],
    },
  });
  const state: 'awaiting' | 'granted' | 'void' | undefined = order.data?.referrals[0]?.state;
  if (state !== 'granted') throw new Error(`the referral is ${state}`);

  const listed: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, response } = await v2.GET('/coupons', {
      params: { query: { page, per_page: 1 } },
    });
    const coupons: Coupon[] = data ?? [];
    listed.push(...coupons.map(({ id }) => id));
    pages = Number(response.headers.get('X-Svc-TotalPages'));
  }

  const absent = await v2.GET('/coupons/{id}', { params: { path: { id: 987_654 } } });
  if (!absent.error) throw new Error('a coupon that does not exist was found');
  const tooMany = await v2.GET('/coupons', { params: { query: { per_page: 101 } } });
  const params = tooMany.error?.data.params;

  const events = await v2.GET('/events', { params: { query: { after: 0 } } });
  const names = (events.data ?? []).map(describe);
  if (!names.includes('order 5001')) throw new Error(`the feed has ${names.join()}`);

  return {
    created: coupon.data.id,
    listed,
    notFound: reasonOf(absent.error.code),
    refused: params && !Array.isArray(params) ? params : {},
    commission: order.data?.referrals[0]?.commission,
  };
}

/** The compiler knows every code of this operation: a misspelt one would not compile. */
function reasonOf(
  code: NonNullable<Awaited<ReturnType<typeof absentCoupon>>['error']>['code'],
): string {
  switch (code) {
    case 'rest_no_route':
    case 'svc_api_not_found':
      return code;
    default:
      return `other: ${code}`;
  }
}

const absentCoupon = () =>
  createClient<V2Paths>().GET('/coupons/{id}', { params: { path: { id: 1 } } });

/** The name of an event tells what its data is. */
function describe(event: FeedEvent): string {
  switch (event.event) {
    case 'referral.created':
      return `order ${event.data.order_id}`;
    case 'coupon.created':
      return `coupon ${event.data.coupon_id}`;
    default:
      return event.event;
  }
}
