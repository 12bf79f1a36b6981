import { sql } from 'kysely';
import { query } from '../../db/statements/query.ts';
import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { countOf } from '../../shared/count-of.ts';
import {
  attributionLink,
  attributionParameter,
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from './settings.ts';

/** Counted in a partial index, which orders do not change. */
const withoutPercent = query<object, { coupons: number }>((db) =>
  db
    .selectFrom('coupons')
    .select((eb) => eb.fn.countAll<number>().as('coupons'))
    .where('percent', 'is', null),
);

const withGroupPercent = query<object, { coupons: number }>((db) =>
  db
    .selectFrom('groups')
    .innerJoin('affiliate_groups', 'affiliate_groups.group_id', 'groups.id')
    .innerJoin('coupons', 'coupons.user_id', 'affiliate_groups.user_id')
    .select(sql<number>`count(distinct coupons.id)`.as('coupons'))
    .where('groups.percent', 'is not', null)
    .where('coupons.percent', 'is', null),
);

const percentEffect = defineEffect(commissionPercent, async ({ db, after }) => {
  const all = (await db.first(withoutPercent, {}))!.coupons;
  const count = all - (await db.first(withGroupPercent, {}))!.coupons;
  const have = count === 1 ? 'has' : 'have';
  return {
    count,
    text: `New orders earn ${after} %; orders so far keep their rate. ${countOf(count, 'coupon')} ${have} no rate of their own or of a group.`,
  };
});

const fixedEffects = [commissionFixedPerOrder, commissionFixedPerProduct].map((setting) =>
  defineEffect(setting, () => ({
    text: 'Applies to new orders; orders so far keep their amount.',
  })),
);

const parameterEffect = defineEffect(attributionParameter, ({ before, after }) => ({
  text: `Links to the store carry ?${after}= from now on. Links that were shared with ?${before}= no longer lead to an affiliate, unless they go through this service.`,
}));

const linkEffect = defineEffect(attributionLink, ({ after }) => ({
  text:
    after === 'store'
      ? 'New links lead directly to the store, which must record clicks itself. Links that were shared keep working.'
      : 'New links lead through this service, which records the click. Links that were shared keep working.',
}));

export const couponEffects = [percentEffect, ...fixedEffects, parameterEffect, linkEffect];
