import Type from 'typebox';
import { cachedCollection, pageHeaders } from '../../kernel/cache/collection.ts';
import { isAdmin } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation, whenSearched } from '../../kernel/declare/operation.ts';
import { Id, Nullable, pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import {
  checkDiscount,
  checkRates,
  discountFields,
  rateFields,
  setsRates,
  toDiscountColumn,
  toRateColumns,
} from '../groups/index.ts';
import { invalidUser } from '../users/index.ts';
import {
  countCoupons,
  findCouponDetails,
  foldCode,
  listCouponRows,
  lockCoupon,
  updateCoupon,
} from './coupon-rows.ts';
import {
  CouponCode,
  CouponListSchema,
  CouponSchema,
  noBalances,
  noFigures,
  toCoupon,
  toCouponListItem,
  toCouponOf,
} from './coupon-wire.ts';
import {
  addCoupon,
  emitCouponChange,
  requireAssignable,
  requireCoupon,
  requireReadable,
} from './coupon.ts';
import { ownFigures } from './former-days.ts';
import { lockOwners } from './hand-over.ts';
import { removeWithoutHistory } from './retire-coupon.ts';
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

export const getCoupon = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/coupons/{id}',
  summary: 'One coupon with its rates, referral link and figures',
  description:
    'For admins and the affiliate it is assigned to. Admins see the figures of all affiliates that the coupon ever ' +
    'belonged to; an affiliate sees its own.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The coupon.') }),
  response: CouponSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    const details = await requireReadable(db, site, caller, await findCouponDetails(db, id));
    const shown = isAdmin(caller) ? details : await ownFigures(db, details, details);
    return toCouponOf(site, caller, shown);
  },
});

export const createCoupon = operation({
  method: 'POST',
  namespace: 'store',
  path: '/coupons',
  summary: 'Create a coupon',
  description: 'Several coupons may have the same code; the id identifies a coupon.',
  access: 'admin',
  scope: 'write',
  proof: setsRates,
  body: Type.Object(
    {
      code: CouponCode,
      user_id: Type.Optional(Nullable(Id('The affiliate it is assigned to.'))),
      ...rateFields,
      ...discountFields,
    },
    { $id: 'CreateCoupon' },
  ),
  example: {
    body: { code: 'MAYA10', user_id: 7 },
    response: { ...noBalances, stats: noFigures },
  },
  status: 201,
  response: CouponSchema,
  errors: [invalidUser],
  check(input, errors, site) {
    checkRates(input, errors, site);
    checkDiscount(input, errors, site);
  },
  async handle({ db, site, caller, nowMs }, input) {
    const rates = toRateColumns(input, site.currency);
    const userId = input.user_id ?? null;
    await requireAssignable(db, userId);
    const row = await addCoupon(
      db,
      site,
      caller,
      { code: input.code, user_id: userId, rates, ...toDiscountColumn(input) },
      nowMs,
    );
    return toCoupon(db, site, caller, row);
  },
});

export const deleteCoupon = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/coupons/{id}',
  summary: 'Delete a coupon, or disable it when it has a history',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The coupon.') }),
  response: Type.Object(
    {
      deleted: Type.Boolean({ description: 'False when it was disabled instead.' }),
    },
    { $id: 'DeletedCoupon', examples: [{ deleted: true }] },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id }) {
    // Waits for orders that have already read the coupon; they become its history.
    await lockOwners(db);
    await lockCoupon(db, id);
    const coupon = await requireCoupon(db, id);
    if (await removeWithoutHistory(db, site, caller, coupon, nowMs)) return { deleted: true };
    if (coupon.status !== 'disabled') {
      const disabled = await updateCoupon(db, coupon, { status: 'disabled' }, nowMs);
      await emitCouponChange(db, site, caller, disabled, ['status'], nowMs);
    }
    return { deleted: false };
  },
});
