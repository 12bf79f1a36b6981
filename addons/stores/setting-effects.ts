import { defineEffect } from '../../src/kernel/declare/setting-effect.ts';
import { countOf } from '../../src/shared/count-of.ts';
import { ownStatuses } from './connectors/woocommerce/order-status.ts';
import { keepDays } from './settings.ts';

const keepEffect = defineEffect(keepDays, ({ before, after }) => ({
  text:
    after < before
      ? `Deliveries of stores that are older than ${countOf(after, 'day')} are deleted within a day.`
      : `Deliveries of stores are kept for ${countOf(after, 'day')}.`,
}));

const statusEffect = defineEffect(ownStatuses, () => ({
  text: 'Known orders of connected WooCommerce shops are read again, and get the status that theirs means now.',
}));

export const storeEffects = [keepEffect, statusEffect];
