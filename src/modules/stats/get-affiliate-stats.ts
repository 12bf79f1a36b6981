import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { figureColumns } from '../../db/statements/columns.ts';
import {
  bounds,
  effectiveRange,
  isRange,
  rangeParameters,
  type DateRange,
} from '../../kernel/call/date-range.ts';
import { isAdmin } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  addFigures,
  findAccountsOf,
  findCouponsOf,
  sumBalances,
  sumFormerDays,
  toFigures,
  toOpenBalances,
  type CouponAccount,
  type CouponRow,
} from '../coupons/index.ts';
import { findUser } from '../users/index.ts';
import { rangeCacheOf } from './range-cache.ts';
import { sumUserDays } from './stats-rows.ts';
import { AffiliateStatsSchema } from './stats-wire.ts';

export const getAffiliateStats = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/affiliates/{id}/stats',
  summary: "Totals across all the affiliate's coupons",
  description:
    'What it has earned itself, also on coupons that are those of another affiliate now.',
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
    const accounts = await findAccountsOf(db, id);
    // A user who is not an affiliate is not found, as in GET /affiliates/{id}.
    if (!user || (user.role !== 'affiliate' && accounts.length === 0)) {
      throw new ApiError(generalErrors.notFound);
    }
    const { coupons, source } = await figuresFor(db, site, id, accounts, range);
    return {
      user_id: id,
      ...range,
      source,
      totals: {
        ...toFigures(add(coupons, figureColumns), site),
        ...toOpenBalances(sumBalances(accounts), site),
      },
      coupons: coupons.map(({ id: couponId, code, ...figures }) => ({
        id: couponId,
        code,
        ...toFigures(figures, site),
      })),
    };
  },
});

/** The figures of each account. Former coupons are listed while they have any. */
async function figuresFor(
  db: Reader,
  site: Site,
  userId: number,
  accounts: readonly CouponAccount[],
  range: DateRange,
) {
  const coupons = await findCouponsOf(db, userId);
  const stored = await storedFigures(db, site, userId, coupons, range);
  const own = coupons.map(({ id, code }, i) => ({ id, code, ...stored.figures[i]! }));
  if (accounts.every(({ is_former, owned_since }) => !is_former && owned_since === null)) {
    return { coupons: own, source: stored.source };
  }
  const more = await sumFormerDays(db, [userId], bounds(range));
  const ofAccount = new Map(more.map((sums) => [sums.coupon_id, sums]));
  const former = accounts.flatMap(({ is_former, coupon_id: id, code }) => {
    const sums = ofAccount.get(id);
    return is_former && sums ? [{ id, code, ...sums }] : [];
  });
  const corrected = own.map((coupon) => addFigures(coupon, ofAccount.get(coupon.id) ?? {}));
  return { coupons: [...corrected, ...former], source: stored.source };
}

/** The figures of each coupon, in the same order. */
async function storedFigures(
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
