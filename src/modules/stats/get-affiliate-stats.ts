import { figureColumns } from '../../db/statements/columns.ts';
import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { isAdmin } from '../../kernel/declare/caller.ts';
import {
  bounds,
  effectiveRange,
  isRange,
  rangeParameters,
  type DateRange,
} from '../../kernel/call/date-range.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  findAccountsOf,
  findCouponsOf,
  sumBalances,
  toFigures,
  toOpenBalances,
  type CouponRow,
} from '../coupons/index.ts';
import { rangeCacheOf } from './range-cache.ts';
import { findUser } from '../users/index.ts';
import { sumUserDays } from './stats-rows.ts';
import { AffiliateStatsSchema } from './stats-wire.ts';

export const getAffiliateStats = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/affiliates/{id}/stats',
  summary: "Totals across all the affiliate's coupons",
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({ ...rangeParameters }),
  response: AffiliateStatsSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    const range = effectiveRange(input, site, nowMs);
    if (!isAdmin(caller) && caller.person?.id !== id) throw new ApiError(generalErrors.notFound);
    const user = await findUser(db, id);
    const coupons = await findCouponsOf(db, id);
    // A user who is not an affiliate is not found, as in GET /affiliates/{id}.
    if (!user || (user.role !== 'affiliate' && coupons.length === 0)) {
      throw new ApiError(generalErrors.notFound);
    }
    const accounts = await findAccountsOf(db, id);
    const { figures, source } = await figuresFor(db, site, id, coupons, range);
    return {
      user_id: id,
      ...range,
      source,
      totals: {
        ...toFigures(add(figures, figureColumns), site),
        ...toOpenBalances(sumBalances(accounts), site),
      },
      coupons: coupons.map((coupon, i) => ({
        id: coupon.id,
        code: coupon.code,
        ...toFigures(figures[i]!, site),
      })),
    };
  },
});

/** The figures of each coupon, in the same order. */
async function figuresFor(
  db: Reader,
  site: Site,
  userId: number,
  coupons: readonly CouponRow[],
  range: DateRange,
) {
  if (!isRange(range)) return { figures: coupons, source: 'snapshot' as const };
  const found = await rangeCacheOf(site).find(coupons, `${range.from}/${range.to}`, async () => {
    const rows = await sumUserDays(db, { user_id: userId, ...bounds(range) });
    return new Map(rows.map((row) => [row.id, row]));
  });
  return {
    figures: coupons.map((coupon) => found.figures.get(coupon.id)!),
    source: found.cached ? ('cache' as const) : ('live' as const),
  };
}

function add<N extends keyof CouponRow>(
  rows: readonly Pick<CouponRow, N>[],
  names: readonly N[],
): Record<N, number> {
  return Object.fromEntries(
    names.map((name) => [name, rows.reduce((sum, row) => sum + Number(row[name]), 0)]),
  ) as Record<N, number>;
}
