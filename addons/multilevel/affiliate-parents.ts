import Type from 'typebox';
import { Id } from '../../src/kernel/declare/schemas.ts';
import { requireAffiliate, type AffiliateExtra } from '../../src/modules/affiliates/index.ts';
import type { CouponReader } from '../../src/modules/coupons/index.ts';
import { toPerson, toUser, UserSchema } from '../../src/modules/users/index.ts';
import { changeParent } from './parent.ts';
import { tiers } from './settings.ts';
import { findParent, findUpline } from './upline-rows.ts';

/** Adds the upline to an affiliate's record, and `parent_id` to its creation. */
export const affiliateParents: AffiliateExtra = {
  fields: {
    mla_parents: Type.Record(Type.String({ pattern: '^T[1-9][0-9]*$' }), UserSchema, {
      description: 'The upline, lowest tier first: T1, T2, …',
      examples: [{ T1: { id: 4, display_name: 'Tomás Ruiz' } }],
    }),
  },
  async read(db, site, caller, id) {
    const upline = await findUpline(db, { user_id: id, tiers: site.settings.get(tiers) });
    const named = upline.map((row) => [`T${row.tier}`, toUser(toPerson(row), caller)]);
    return { mla_parents: Object.fromEntries(named) };
  },
  inputs: { parent_id: Type.Optional(Id('The parent of the affiliate.')) },
  async created(tx, _site, caller, { id }, input, nowMs) {
    if (input['parent_id'] === undefined) return;
    const affiliate = await requireAffiliate(tx, id);
    await changeParent(tx, caller, affiliate, input['parent_id'] as number, nowMs);
  },
};

/** The parent of the owner may read its coupons. Tiers above it see nothing but their own shares. */
export const parentReads: CouponReader = async (db, ownerId, personId) =>
  (await findParent(db, ownerId)) === personId;
