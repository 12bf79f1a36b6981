import Type from 'typebox';
import { cachedCollection, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation, whenSearched } from '../../kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { countCoupons, foldCode, listCouponRows } from './coupon-rows.ts';
import { CouponListSchema, toCouponListItem } from './coupon-wire.ts';
import { containing } from './search.ts';
import { couponStatuses } from './tables.ts';

export const listCoupons = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/coupons',
  summary: 'List coupons',
  description:
    'Newest first: the coupons that are assigned to an affiliate, or with `assigned=false` the others.',
  access: 'admin',
  scope: 'read',
  long: whenSearched,
  query: Type.Object({
    user_id: Type.Optional(Id('Coupons of this affiliate only.')),
    search: Type.Optional(
      Type.String({ maxLength: 100, description: 'Part of the code, in any case.' }),
    ),
    status: Type.Optional(
      StringEnum(couponStatuses, { description: 'Coupons of this status only.' }),
    ),
    assigned: Type.Boolean({
      default: true,
      description: 'False: only coupons that no affiliate has.',
    }),
    ...pageParameters,
  }),
  response: Type.Array(CouponListSchema),
  headers: pageHeaders,
  async handle({ db, site }, input) {
    const filter = {
      user_id: input.user_id,
      status: input.status,
      unassigned: input.assigned ? undefined : (true as const),
      search: containing(input.search && foldCode(input.search)),
    };
    const counted = { name: 'coupons', filter, count: () => countCoupons(db, filter) };
    return cachedCollection(site, counted, input, async (slice) => {
      const rows = await listCouponRows(db, filter, slice);
      return rows.map((row) => toCouponListItem(row, site));
    });
  },
});
