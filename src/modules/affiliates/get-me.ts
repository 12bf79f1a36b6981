import Type, { type Static } from 'typebox';
import { hasScope, isAdmin, roles, scopes } from '../../kernel/declare/caller.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import { apiVersions } from '../../kernel/present/openapi/info.ts';
import { CouponListSchema, findCouponsOf, toCouponListItem } from '../coupons/index.ts';
import { toUser, UserSchema } from '../users/index.ts';

const MeSchema = Type.Object(
  {
    user: UserSchema,
    role: StringEnum(roles, { description: 'The role of the user on this site.' }),
    access: StringEnum(['admin', 'affiliate', 'user'], {
      description: 'The records that the caller may see: all, its own, or none.',
    }),
    is_admin: Type.Boolean({ description: 'An administrator or a manager.' }),
    is_affiliate: Type.Boolean({ description: 'An affiliate, or someone with a coupon.' }),
    auth: Type.Object({
      method: StringEnum(['api_key', 'application_password', 'session']),
      key_id: Nullable(Type.Integer({ description: 'The API key; null without one.' })),
      scopes: Nullable(
        Type.Array(StringEnum(scopes), {
          description: 'The permissions of the key; null without one.',
        }),
      ),
    }),
    coupons: Type.Array(CouponListSchema, {
      description: "The caller's coupons; empty without the read scope.",
    }),
    api_version: Type.String(),
  },
  {
    $id: 'Me',
    examples: [
      {
        role: 'affiliate',
        access: 'affiliate',
        is_admin: false,
        is_affiliate: true,
        auth: { method: 'api_key', key_id: 8, scopes: ['read'] },
        api_version: apiVersions.v2,
      },
    ],
  },
);

function accessOf(admin: boolean, affiliate: boolean): Static<typeof MeSchema>['access'] {
  if (admin) return 'admin';
  return affiliate ? 'affiliate' : 'user';
}

export const getMe = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/me',
  summary: 'Caller identity, access level and scopes',
  access: 'user',
  scope: null,
  response: MeSchema,
  async handle({ db, site, caller }) {
    const person = caller.person!;
    const coupons = await findCouponsOf(db, person.id);
    const admin = isAdmin(caller);
    const affiliate = person.role === 'affiliate' || coupons.length > 0;
    return {
      user: toUser(person, caller),
      role: person.role,
      access: accessOf(admin, affiliate),
      is_admin: admin,
      is_affiliate: affiliate,
      auth: {
        method: caller.method!,
        key_id: caller.keyId,
        scopes: caller.scopes && [...caller.scopes],
      },
      coupons: hasScope(caller, 'read') ? coupons.map((row) => toCouponListItem(row, site)) : [],
      api_version: apiVersions.v2,
    };
  },
});
