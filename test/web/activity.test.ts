import './browser-globals.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readTexts } from '../../scripts/addon-files.js';
import type { FoundEvent } from '../../sdk/src/index.ts';
import { loadEdition } from '../../src/edition-pro.ts';
import { entriesOf, piecesOf } from '../../web/console/activity/event-text.ts';
import { useWords } from '../../web/words.ts';

useWords('en', readTexts(join(import.meta.dirname, '../..'), 'en'), { affiliateWord: 'affiliate' });

const names = [
  ...[1, 2, 4, 7, 8, 11].map((id) => ({
    type: 'user' as const,
    id,
    name: `Person ${'ABCDEFGHIJK'[id - 1]}`,
  })),
  ...[9, 12, 15].map((id) => ({ type: 'coupon' as const, id, name: `CODE${'ABC'[id % 3]}` })),
];
const found = (
  event: string,
  data: Record<string, unknown>,
  id = 1,
  date = '2026-02-01T10:00:00',
): FoundEvent => ({
  id,
  kind: event.split('.')[0] ?? '',
  event,
  object_id: Number(data['order_id'] ?? 31),
  object_type: 'order',
  user_id: 0,
  user: null,
  info: 'as the feed says it',
  date,
  data,
});
const textOf = (event: FoundEvent) =>
  piecesOf(event, names)
    .map(({ text }) => text)
    .join('');

describe('what happened, in words', () => {
  test('every event of the service has a sentence without ids and with whole placeholders', async () => {
    const modules = await loadEdition('pro');
    const events = modules.flatMap((module) => module.events ?? []);
    assert.ok(events.length > 40);
    for (const { name, example } of events) {
      const text = textOf(found(name, example.data));
      assert.doesNotMatch(text, /as the feed says it|[{}]|undefined|person no\./, name);
    }
  });

  test('names, links, amounts and the status of an order', () => {
    const event = found('referral.created', {
      order_id: 1042,
      coupon_id: 12,
      user_id: 7,
      commission: 5.2,
      currency: 'USD',
      status: 'pending',
    });
    assert.equal(
      textOf(event),
      'Order #1042 (awaiting payment) credited to Person G by CODEA: $5.20',
    );
    const links = piecesOf(event, names).flatMap(({ href }) => href ?? []);
    assert.deepEqual(links, [
      '/console/orders/1042',
      '/console/affiliates/7',
      '/console/coupons?coupon=12',
    ]);
  });

  test('an event of an extension says it itself', () => {
    assert.equal(textOf(found('loyalty.reached', {})), 'as the feed says it');
  });

  test('the events of one change of an order are one entry, the order first', () => {
    const entries = entriesOf([
      found('commission.added', { order_id: 5 }, 3),
      found('referral.created', { order_id: 5 }, 2),
      found('referral.created', { order_id: 5 }, 1, '2026-01-31T10:00:00'),
    ]);
    assert.deepEqual(
      entries.map(({ main, others }) => [main.id, others.map(({ id }) => id)]),
      [
        [2, [3]],
        [1, []],
      ],
    );
  });
});
