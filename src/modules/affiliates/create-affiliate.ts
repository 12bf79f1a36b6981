import Type from 'typebox';
import type { ActiveDeclarations } from '../../kernel/declare/active-declarations.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { exampleOf } from '../../kernel/present/openapi/examples.ts';
import { CouponCode, CouponListSchema, noBalances, noFigures } from '../coupons/index.ts';
import { checkRates, GroupName, rateFields, setsRates, toRateColumns } from '../groups/index.ts';
import {
  DisplayName,
  hashPassword,
  invalidUser,
  newUserFields,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  passwordsBusy,
  requireGoodPassword,
  userExists,
} from '../users/index.ts';
import { addAffiliate } from './add-affiliate.ts';
import { extraFields } from './affiliate-extra.ts';
import { AffiliateSchema, toAffiliate } from './affiliate-wire.ts';
import { requireAffiliate } from './affiliate.ts';
import { replaceGroups, requireGroups } from './membership.ts';
import { ProfileInput } from './profile.ts';

const Body = Type.Object(
  {
    ...newUserFields,
    display_name: Type.Optional(DisplayName),
    password: Type.Optional(
      Type.String({
        minLength: PASSWORD_LENGTH_MIN,
        maxLength: PASSWORD_LENGTH_MAX,
        description: 'Without one the affiliate cannot sign in with a password.',
      }),
    ),
    groups: Type.Array(GroupName, {
      maxItems: 20,
      default: [],
      description: 'The names of groups that exist.',
    }),
    profile: Type.Optional(ProfileInput),
    coupon: Type.Optional(
      Type.Object({ code: CouponCode, ...rateFields }, { description: 'A first coupon.' }),
    ),
  },
  { $id: 'CreateAffiliate' },
);

/** Includes the inputs of other active modules. */
function ExtendedBody(active: ActiveDeclarations): typeof Body {
  const properties = { ...Body.properties, ...extraFields(active, 'inputs') };
  return Type.Object(properties, { $id: 'CreateAffiliate' });
}

export const createAffiliate = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates',
  summary: 'Create an affiliate, optionally with a coupon',
  access: 'admin',
  scope: 'write',
  proof: ({ groups, coupon }) => groups.length > 0 || (coupon !== undefined && setsRates(coupon)),
  body: ExtendedBody,
  example: {
    body: {
      login: 'maya',
      email: 'maya@example.com',
      display_name: 'Maya Ortiz',
      groups: ['Gold'],
      profile: { website: 'https://maya.example' },
      coupon: { code: 'MAYA10' },
    },
    response: {
      ...noBalances,
      // The example of an object schema is an object.
      coupons: [{ ...(exampleOf(CouponListSchema) as object), ...noBalances, stats: noFigures }],
      profile: {
        phone: '',
        website: 'https://maya.example',
        promote: '',
        referrer: '',
        custom_fields: {},
      },
    },
  },
  status: 201,
  response: AffiliateSchema,
  // `invalidUser` is for the `parent_id` that the add-on for levels adds to the body.
  errors: [userExists, passwordsBusy, invalidUser],
  check({ coupon }, errors, site) {
    if (coupon) checkRates(coupon, errors, site, 'coupon.');
  },
  async prepare({ login, email, password }, site, request) {
    if (password === undefined) return null;
    await requireGoodPassword(site, password, { login, email });
    return hashPassword(password, request);
  },
  async handle({ db: tx, site, caller, nowMs, prepared }, input) {
    const { login, email, display_name, coupon } = input;
    const groups = await requireGroups(tx, input.groups);
    const id = await addAffiliate(
      tx,
      site,
      caller,
      {
        login,
        email,
        display_name,
        passwordHash: prepared,
        profile: input.profile,
        ...(coupon && {
          coupon: { code: coupon.code, rates: toRateColumns(coupon, site.currency) },
        }),
        extras: input,
      },
      nowMs,
    );
    await replaceGroups(tx, id, groups);
    return toAffiliate(tx, site, caller, await requireAffiliate(tx, id));
  },
});
