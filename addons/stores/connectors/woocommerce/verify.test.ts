import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deliveries,
  delivery,
  RECORDED_SECRET,
  RECORDED_SHOP,
} from '../../test/woocommerce/recorded.ts';
import type { RawDelivery } from '../connector.ts';
import { exampleDelivery } from './example-delivery.ts';
import { verify } from './verify.ts';

const connection = {
  secrets: [RECORDED_SECRET],
  credentials: {},
  url: RECORDED_SHOP,
  nowMs: Date.parse('2026-11-16T12:00:00Z'),
};

const keyOf = (one: RawDelivery) => {
  const verdict = verify(one, connection);
  assert.equal(verdict.outcome, 'genuine');
  return verdict.outcome === 'genuine' ? verdict.dedupeKey : '';
};

test('every recorded delivery is genuine, every ping a ping', () => {
  for (const one of deliveries) {
    const verdict = verify(one, connection);
    const expected = one.name.endsWith('-ping')
      ? 'ping'
      : // One has a secret that WooCommerce changed; one is the answer to a request for keys.
        /^(?:230|202)-/.test(one.name)
        ? 'refused'
        : 'genuine';
    assert.equal(verdict.outcome, expected, one.name);
    if (verdict.outcome === 'genuine') {
      assert.equal(verdict.topic, one.headers['x-wc-webhook-topic']);
      const { id } = JSON.parse(one.body.toString()) as { id?: number };
      assert.equal(verdict.externalId, id === undefined ? null : String(id), one.name);
    }
  }
});

test('a signature is over the bytes, by the current secret or the one before', () => {
  const one = delivery('032');
  const rotated = { ...connection, secrets: ['newSecret1', RECORDED_SECRET] };
  assert.equal(verify(one, rotated).outcome, 'genuine');
  const changed = { ...one, body: Buffer.concat([one.body, Buffer.from(' ')]) };
  const { 'x-wc-webhook-signature': signature, ...unsigned } = one.headers;
  const refused: [RawDelivery, typeof connection, RegExp][] = [
    [changed, connection, /signature is wrong/],
    [one, { ...connection, secrets: ['another'] }, /signature is wrong/],
    [one, { ...connection, secrets: [] }, /signature is wrong/],
    [{ ...one, headers: { ...one.headers, 'x-wc-webhook-signature': '' } }, connection, /wrong/],
    [
      { ...one, headers: { ...one.headers, 'x-wc-webhook-signature': signature!.slice(4) } },
      connection,
      /wrong/,
    ],
    [{ ...one, headers: unsigned }, connection, /no signature/],
    // A ping has no topic; with one, it must be signed.
    [{ ...delivery('003'), headers: { 'x-wc-webhook-topic': 'x' } }, connection, /no signature/],
    // A copy of the shop for tests has the same secret.
    [one, { ...connection, url: 'https://shop.example' }, /comes from 127\.0\.0\.1.*shop\.example/],
  ];
  for (const [given, by, reason] of refused) {
    const verdict = verify(given, by);
    assert.equal(verdict.outcome, 'refused');
    assert.match(verdict.outcome === 'refused' ? verdict.reason : '', reason);
  }
});

test('the same content has the same key, although delivery ids repeat and topics differ', () => {
  // Sent as updated and as created, with the same body.
  assert.equal(keyOf(delivery('031')), keyOf(delivery('032')));
  const keys = new Map(
    deliveries
      .filter((one) => verify(one, connection).outcome === 'genuine')
      .map((one) => [keyOf(one), one.body.toString()]),
  );
  assert.equal(new Set(keys.values()).size, keys.size, 'different keys have different bodies');
  // An order that is deleted, restored and deleted again has the same body twice.
  const once = delivery('101');
  const headers = { ...once.headers, 'x-wc-webhook-delivery-id': 'another second' };
  assert.notEqual(keyOf(once), keyOf({ ...once, headers }));
  assert.equal(keyOf(once), keyOf({ ...once }));
});

test('an example is signed like a delivery of the shop', () => {
  const example = exampleDelivery(connection, { code: 'ADA10', total: 1234.5, currency: 'JPY' });
  const verdict = verify(example, connection);
  assert.equal(verdict.outcome, 'genuine');
  assert.match(example.body.toString(), /"total":"12(?:34|35)".*"ada10"/);
});
