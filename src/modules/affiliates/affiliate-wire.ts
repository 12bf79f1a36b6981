import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import type { ActiveDeclarations } from '../../kernel/declare/active-declarations.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import { LocalTime, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { exampleOf } from '../../kernel/present/openapi/examples.ts';
import {
  balanceSchemas,
  CouponFiguresSchema,
  CouponListSchema,
  findCouponsByUser,
  formerAccountsOf,
  ownFigures,
  sumBalances,
  toBalances,
  toCouponFigures,
  toCouponListItem,
  type CouponAccount,
  type CouponRow,
} from '../coupons/index.ts';
import { toPerson, toUser, UserSchema } from '../users/index.ts';
import { affiliateExtras, extraFields } from './affiliate-extra.ts';
import type { AffiliateRow } from './affiliate-rows.ts';
import { groupsOf } from './membership.ts';
import { ProfileSchema, readProfile } from './profile.ts';
import { affiliateStatuses } from './tables.ts';

const affiliateExample = {
  id: 7,
  status: 'active',
  unpaid_commission: 69,
  pending_order_commission: 12.5,
  pending_payout_commission: 0,
  paid_commission: 212.5,
};

export const AffiliateListSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the user.' }),
    user: UserSchema,
    status: StringEnum(affiliateStatuses),
    coupons: Type.Array(CouponListSchema),
    ...balanceSchemas,
  },
  { $id: 'Affiliate', examples: [affiliateExample] },
);

const detailsOptions = {
  $id: 'AffiliateDetails',
  examples: [{ ...affiliateExample, date_registered: '2026-01-13T09:14:40', groups: ['Gold'] }],
};

const AffiliateCoreSchema = Type.Object(
  {
    ...AffiliateListSchema.properties,
    coupons: Type.Array(
      Type.Object(
        { ...CouponListSchema.properties, stats: CouponFiguresSchema },
        { $id: 'CouponWithFigures', examples: [exampleOf(CouponListSchema)] },
      ),
    ),
    date_registered: LocalTime('When the affiliate joined.'),
    profile: ProfileSchema,
    groups: Type.Array(Type.String(), { description: 'The names of its groups.' }),
  },
  detailsOptions,
);

/** Includes the fields of other active modules. */
export function AffiliateSchema(active: ActiveDeclarations): typeof AffiliateCoreSchema {
  const { properties } = AffiliateCoreSchema;
  const extended = Type.Object({ ...properties, ...extraFields(active, 'fields') }, detailsOptions);
  return extended;
}

export function toAffiliateListItem(
  row: AffiliateRow,
  { coupons, former }: { coupons: readonly CouponRow[]; former: readonly CouponAccount[] },
  site: Site,
  caller: Caller,
): Static<typeof AffiliateListSchema> {
  return {
    id: row.id,
    user: toUser(toPerson(row), caller),
    status: row.status,
    coupons: coupons.map((coupon) => toCouponListItem(coupon, site)),
    ...toBalances(sumBalances([...coupons, ...former]), site),
  };
}

export async function toAffiliate(
  db: Reader,
  site: Site,
  caller: Caller,
  row: AffiliateRow,
): Promise<Static<typeof AffiliateCoreSchema>> {
  const [coupons, former] = await Promise.all([
    findCouponsByUser(db, [row.id]),
    formerAccountsOf(db, [row.id]),
  ]);
  const groups = await groupsOf(db, row.id);
  const extras = site.registry.contributions(affiliateExtras);
  const more = await Promise.all(extras.map((extra) => extra.read(db, site, caller, row.id)));
  return {
    ...toAffiliateListItem(row, { coupons, former }, site, caller),
    coupons: await Promise.all(
      coupons.map(async (coupon) => ({
        ...toCouponListItem(coupon, site),
        stats: toCouponFigures(await ownFigures(db, coupon, coupon), site),
      })),
    ),
    date_registered: site.calendar.toLocal(row.registered_at),
    profile: readProfile(row.profile),
    groups: groups.map(({ name }) => name),
    ...Object.fromEntries(more.flatMap((fields) => Object.entries(fields))),
  };
}
