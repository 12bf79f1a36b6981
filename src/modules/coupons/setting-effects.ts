import { readCount } from '../../db/lists/paged-list.ts';
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
const withoutPercent = readCount((db) => db.selectFrom('coupons').where('percent', 'is', null));

const withGroupPercent = readCount((db) =>
  db
    .selectFrom('coupons')
    .where('percent', 'is', null)
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('affiliate_groups')
        .select('user_id')
        .where('group_id', 'in', (groups) =>
          groups.selectFrom('groups').select('id').where('percent', 'is not', null),
        ),
    ),
);

const percentEffect = defineEffect(commissionPercent, async ({ db, after }) => {
  const all = await withoutPercent(db, {});
  const count = all - (await withGroupPercent(db, {}));
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
  text: `Links to the store carry ?${after}= from now on. Links that were shared with ?${before}= no longer lead to affiliates, unless they go through this service or \`attribution.code_parameters\` lists ${before}.`,
}));

const linkEffect = defineEffect(attributionLink, ({ after }) => ({
  text:
    after === 'store'
      ? 'New links lead directly to the store, which must include the script /t.js or record clicks itself. Links that were shared keep working.'
      : 'New links lead through this service, which records the click. Links that were shared keep working.',
}));

export const couponEffects = [percentEffect, ...fixedEffects, parameterEffect, linkEffect];
