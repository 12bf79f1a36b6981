import Type from 'typebox';
import { Id } from '../../kernel/declare/schemas.ts';
import { requireAffiliate, type AffiliateExtra } from '../../modules/affiliates/index.ts';
import type { CouponReader } from '../../modules/coupons/index.ts';
import { toPerson, toUser, UserSchema } from '../../modules/users/index.ts';
import { changeParent } from './parent.ts';
import { tiers } from './settings.ts';
import { findUplines, isUpline } from './upline-store.ts';

/** Whom an affiliate is below: in its record, and when it is created. */
export const affiliateParents: AffiliateExtra = {
  fields: {
    mla_parents: Type.Record(Type.String({ pattern: '^T[1-9][0-9]*$' }), UserSchema, {
      description: 'Those above, nearest first: T1, T2, …',
      examples: [{ T1: { id: 4, display_name: 'Tomás Ruiz' } }],
    }),
  },
  async read(db, site, caller, id) {
    const uplines = await findUplines(db, id, site.settings.get(tiers));
    const named = uplines.map((row) => [`T${row.tier}`, toUser(toPerson(row), caller)]);
    return { mla_parents: Object.fromEntries(named) };
  },
  inputs: { parent_id: Type.Optional(Id('The affiliate it is below.')) },
  async created(tx, _site, caller, { id }, input, nowMs) {
    if (input['parent_id'] === undefined) return;
    const affiliate = await requireAffiliate(tx, id);
    await changeParent(tx, caller, affiliate, input['parent_id'] as number, nowMs);
  },
};

/** Everyone above the owner, within the tiers, may read its coupons. */
export const uplineReads: CouponReader = (db, site, ownerId, personId) =>
  isUpline(db, ownerId, personId, site.settings.get(tiers));
