import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { fc } from '../../test/support/seeded-random.ts';
import { makeSigningSecret, messageBody, messageId, signedHeaders } from './standard-webhooks.ts';

/** The library that integrators verify with; it throws if the signature is not valid. */
const verify = (key: string, text: string, headers: Record<string, string>) =>
  new StandardWebhook(key).verify(text, headers);

const message = { type: 'payout.paid', id: 42, occurredAtMs: 1_750_000_000_123 };
const body = messageBody({ ...message, data: '{"amount":12.5,"note":"Café ☕"}' });
const secret = makeSigningSecret();
const signed = () => signedHeaders(secret, { id: messageId(42), body, nowMs: Date.now() });

describe('a message', () => {
  test('is exactly this', () => {
    assert.equal(
      body,
      '{"type":"payout.paid","timestamp":"2025-06-15T15:06:40.123Z","id":42,"data":{"amount":12.5,"note":"Café ☕"}}',
    );
    assert.equal(messageId(42), 'evt_42');
  });

  test('has the three headers', () => {
    const headers = signedHeaders(secret, { id: 'evt_1', body: '{}', nowMs: 1_999 });
    assert.equal(headers['webhook-id'], 'evt_1');
    assert.equal(headers['webhook-timestamp'], '1');
    assert.match(headers['webhook-signature']!, /^v1,[A-Za-z0-9+/]{43}=$/);
    assert.equal(headers['content-type'], 'application/json');
  });

  test('has the signature that the specification gives as its example', () => {
    const headers = signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
      nowMs: 1_614_265_330_000,
    });
    assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

test('secrets are 32 random bytes in base64', () => {
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
  assert.notEqual(makeSigningSecret(), secret);
});

describe('standardwebhooks', () => {
  test('verifies what is signed', () => {
    assert.doesNotThrow(() => verify(secret, body, signed()));
  });

  test('verifies whatever an event holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (data, type) => {
        const text = messageBody({ ...message, type, data: JSON.stringify(data) });
        const headers = signedHeaders(secret, { id: 'evt_7', body: text, nowMs: Date.now() });
        verify(secret, text, headers);
        assert.deepEqual(JSON.parse(text).data, JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  test('refuses every changed bit of the body', () => {
    const headers = signed();
    const bytes = Buffer.from(body);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      assert.throws(() => verify(secret, changed.toString('latin1'), headers), `bit ${bit}`);
    }
  });

  test('refuses every changed bit of the signature, the id and the time', () => {
    const headers = signed();
    const mac = Buffer.from(headers['webhook-signature']!.slice(3), 'base64');
    for (let bit = 0; bit < mac.length * 8; bit++) {
      const changed = Buffer.from(mac);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const signature = `v1,${changed.toString('base64')}`;
      assert.throws(() => verify(secret, body, { ...headers, 'webhook-signature': signature }));
    }
    assert.throws(() => verify(secret, body, { ...headers, 'webhook-id': 'evt_43' }));
    const later = String(Number(headers['webhook-timestamp']) + 1);
    assert.throws(() => verify(secret, body, { ...headers, 'webhook-timestamp': later }));
  });

  test('refuses another secret', () => {
    assert.throws(() => verify(makeSigningSecret(), body, signed()));
  });
});
