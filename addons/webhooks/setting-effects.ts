import { defineEffect } from '../../src/kernel/declare/setting-effect.ts';
import { countOf } from '../../src/shared/count-of.ts';
import { keepDays, webhooksMax } from './settings.ts';
import { webhookList } from './webhook/webhook-rows.ts';

const maximumEffect = defineEffect(webhooksMax, async ({ db, after }) => {
  const count = await webhookList.count(db, {});
  if (count < after) return { count, text: `${countOf(count, 'webhook')} of ${after} used.` };
  return { count, text: `All ${countOf(count, 'webhook')} stay, and none can be added.` };
});

const keepEffect = defineEffect(keepDays, ({ before, after }) => ({
  text:
    after < before
      ? `Deliveries that are older than ${countOf(after, 'day')} are deleted within a day.`
      : `Deliveries are kept for ${countOf(after, 'day')}.`,
}));

export const webhookEffects = [maximumEffect, keepEffect];
