import type { Kysely } from 'kysely';
import Type from 'typebox';
import { readCount } from '../../db/lists/paged-list.ts';
import { sortedIds } from '../../db/lists/sorted-ids.ts';
import { beginsWith } from '../../db/statements/begins-with.ts';
import type { Tables } from '../../db/tables.ts';
import { cachedCollection, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation, whenSearched } from '../../kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { findManyCouponDetails, foldCode } from './coupon-rows.ts';
import { CouponSchema, toCouponOf } from './coupon-wire.ts';
import { couponStatuses, type CouponStatus } from './tables.ts';

const sorts = ['-created', 'created', 'code', '-code'] as const;

interface CouponSearch {
  user_id?: number | undefined;
  status?: CouponStatus | undefined;
  assigned?: true | undefined;
  unassigned?: true | undefined;
  /** The beginning of the code, folded. */
  beginning?: string | undefined;
}

function matching(
  db: Kysely<Tables>,
  p: CouponSearch,
  given: (name: keyof CouponSearch) => boolean,
) {
  return db
    .selectFrom('coupons')
    .$if(given('user_id'), (q) => q.where('user_id', '=', p.user_id!))
    .$if(given('status'), (q) => q.where('status', '=', p.status!))
    .$if(given('assigned'), (q) => q.where('user_id', 'is not', null))
    .$if(given('unassigned'), (q) => q.where('user_id', 'is', null))
    .$if(given('beginning'), (q) => q.where(beginsWith('code_folded', p.beginning)));
}

const countMatches = readCount(matching);

const idsOf = sortedIds<'created' | 'code', CouponSearch>(
  ['created', 'code'],
  (column, direction) => (db, p, given) =>
    matching(db, p, given)
      .select('id')
      .$if(column === 'code', (q) => q.orderBy('code_folded', direction))
      .orderBy('id', direction),
);

export const searchCoupons = operation({
  method: 'GET',
  namespace: 'store',
  path: '/coupons',
  summary: 'List coupons with their affiliates, rates and figures',
  access: 'admin',
  scope: 'read',
  long: whenSearched,
  query: Type.Object({
    search: Type.Optional(
      Type.String({ maxLength: 100, description: 'The beginning of the code, in any case.' }),
    ),
    user_id: Type.Optional(Id('Coupons of this affiliate only.')),
    status: Type.Optional(
      StringEnum(couponStatuses, { description: 'Coupons of this status only.' }),
    ),
    assigned: Type.Optional(
      Type.Boolean({
        description: 'Only coupons with or without an affiliate; all coupons by default.',
      }),
    ),
    sort: StringEnum(sorts, {
      default: '-created',
      description: 'With a minus sign the latest, or the end of the alphabet, comes first.',
    }),
    ...pageParameters,
  }),
  response: Type.Array(CouponSchema),
  headers: pageHeaders,
  async handle({ db, site, caller }, input) {
    const search = {
      user_id: input.user_id,
      status: input.status,
      assigned: input.assigned === true ? (true as const) : undefined,
      unassigned: input.assigned === false ? (true as const) : undefined,
      beginning: input.search?.trim() ? foldCode(input.search.trim()) : undefined,
    };
    const counted = { name: 'coupons', filter: search, count: () => countMatches(db, search) };
    return cachedCollection(site, counted, input, async (slice) => {
      const ids = await idsOf(db, search, { sort: input.sort, ...slice });
      const coupons = await findManyCouponDetails(db, ids);
      return coupons.map((coupon) => toCouponOf(site, caller, coupon));
    });
  },
});
