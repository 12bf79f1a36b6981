import {
  postCoupons,
  putOrdersOrderId,
  StoreOrderStatus,
  type CreateCoupon,
} from './generated/orval/store.ts';
import { getCoupons, getCouponsId, type Coupon } from './generated/orval/v2.ts';
import type { Outcome, Service } from './program.ts';

/** What an integrator writes with the functions that orval makes: the status tells what the data is. */
export async function run({ headers }: Service): Promise<Outcome> {
  const body: CreateCoupon = { code: 'ORVAL10', user_id: 3 };
  const coupon = await postCoupons(body, { headers: { ...headers, 'Idempotency-Key': 'orval-1' } });
  if (coupon.status !== 201) throw new Error(coupon.data.message);

  const order = await putOrdersOrderId(
    5002,
    {
      date: '2026-01-20T14:05:09',
      status: StoreOrderStatus.completed,
      total: 125,
      coupon_codes: [coupon.data.code],
    },
    { headers },
  );
  if (order.status !== 200 && order.status !== 201) throw new Error(order.data.message);

  const listed: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await getCoupons({ page, per_page: 1 }, { headers });
    if (answer.status !== 200) throw new Error(answer.data.message);
    const coupons: Coupon[] = answer.data;
    listed.push(...coupons.map(({ id }) => id));
    pages = Number(answer.headers.get('X-Svc-TotalPages'));
  }

  const absent = await getCouponsId(987_654, { headers });
  if (absent.status !== 404) throw new Error(`${absent.status} for what does not exist`);
  const notFound: 'rest_no_route' | 'svc_api_not_found' = absent.data.code;

  const tooMany = await getCoupons({ per_page: 101 }, { headers });
  if (tooMany.status !== 400) throw new Error(`${tooMany.status} for a page that is too large`);
  const { params } = tooMany.data.data;

  return {
    created: coupon.data.id,
    listed,
    notFound,
    refused: params && !Array.isArray(params) ? params : {},
    commission: order.data.referrals[0]?.commission,
  };
}
