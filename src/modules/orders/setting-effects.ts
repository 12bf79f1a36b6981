import { readCount } from '../../db/lists/paged-list.ts';
import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { countOf } from '../../shared/count-of.ts';
import { countedStatuses, delayDays, grantedStatuses, maxPerOrder } from './settings.ts';

/** Counted in the index `referrals_by_release`. */
const held = readCount((db) => db.selectFrom('referrals').where('release_at', 'is not', null));

const delayEffect = defineEffect(delayDays, async ({ db, after }) => {
  const count = await held(db, {});
  const rule =
    after === 0
      ? 'New commissions are available as soon as they are payable.'
      : `New commissions are held for ${countOf(after, 'day')}.`;
  const kept = count === 1 ? 'keeps its date' : 'keep their dates';
  return {
    count,
    text: count === 0 ? rule : `${rule} ${countOf(count, 'commission')} on hold ${kept}.`,
  };
});

const countedEffect = defineEffect(countedStatuses, () => ({
  text: 'Figures of all orders are computed again in the background, orders so far included.',
}));

const grantedEffect = defineEffect(grantedStatuses, () => ({
  text: 'Applies when an order is sent or changed; no commission is granted or taken back now.',
}));

const maximumEffect = defineEffect(maxPerOrder, ({ after }) => ({
  text:
    after === 0
      ? 'New orders earn without a limit; orders so far keep their commission.'
      : 'Applies to new orders; orders so far keep their commission.',
}));

export const orderEffects = [delayEffect, countedEffect, grantedEffect, maximumEffect];
