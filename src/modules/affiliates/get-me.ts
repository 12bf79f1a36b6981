import Type from 'typebox';
import { hasScope, isAdmin, roles, scopes } from '../../kernel/caller.ts';
import { apiVersions } from '../../kernel/openapi.ts';
import { operation } from '../../kernel/operation.ts';
import { Nullable, StringEnum } from '../../kernel/schemas.ts';
import { CouponListSchema, findCouponsOf, toCouponListItem } from '../coupons/index.ts';
import { toUser, UserSchema } from '../users/index.ts';

const MeSchema = Type.Object(
  {
    user: UserSchema,
    role: StringEnum(roles),
    access: StringEnum(['admin', 'affiliate', 'user']),
    is_admin: Type.Boolean(),
    is_affiliate: Type.Boolean(),
    auth: Type.Object({
      method: StringEnum(['api_key', 'application_password', 'session']),
      key_id: Nullable(Type.Integer()),
      scopes: Nullable(Type.Array(StringEnum(scopes))),
    }),
    coupons: Type.Array(CouponListSchema, {
      description: "The caller's coupons; empty without the read scope.",
    }),
    api_version: Type.String(),
  },
  { $id: 'Me' },
);

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
      access: admin ? 'admin' : affiliate ? 'affiliate' : 'user',
      is_admin: admin,
      is_affiliate: affiliate,
      auth: {
        method: caller.method,
        key_id: caller.keyId,
        scopes: caller.scopes && [...caller.scopes],
      },
      coupons: hasScope(caller, 'read') ? coupons.map((row) => toCouponListItem(row, site)) : [],
      api_version: apiVersions.v2,
    };
  },
});
