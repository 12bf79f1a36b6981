import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook as Standard } from 'standardwebhooks';
import { verifyWebhook, WebhookError } from '../../sdk/src/index.ts';
import { makeSigningSecret } from '../../src/shared/standard-webhooks.ts';

const body = '{"type":"ping","timestamp":"2026-01-01T00:00:00.000Z","id":0,"data":{"ü":"€"}}';
const secret = makeSigningSecret();

function headersWith(signature: string, sent = new Date()): Record<string, string> {
  const seconds = Math.floor(sent.getTime() / 1000);
  return {
    'webhook-id': 'evt_7',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signature,
  };
}

const sign = (by: string, sent = new Date()) => new Standard(by).sign('evt_7', sent, body);

describe('verifyWebhook', () => {
  test('accepts what an independent library signs', async () => {
    const now = new Date();
    const message = await verifyWebhook(body, headersWith(sign(secret, now), now), [secret]);
    assert.equal(message.type, 'ping');
  });

  test('takes bytes, headers of any runtime, and one secret alone', async () => {
    const given = headersWith(sign(secret));
    const upper = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    await verifyWebhook(Buffer.from(body), new Headers(given), secret);
    await verifyWebhook(body, upper, secret);
  });

  test('accepts one of several secrets and one of several signatures', async () => {
    const old = makeSigningSecret();
    const both = `v1a,xyz ${sign(makeSigningSecret())} ${sign(old)}`;
    await verifyWebhook(body, headersWith(both), [secret, old]);
  });

  test('refuses another secret, body, id and time', async () => {
    const genuine = headersWith(sign(secret));
    const refused: [string, Record<string, string>, string][] = [
      [body, genuine, makeSigningSecret()],
      [`${body} `, genuine, secret],
      [body, { ...genuine, 'webhook-id': 'evt_8' }, secret],
      [body, { ...genuine, 'webhook-timestamp': '1' }, secret],
      [body, { ...genuine, 'webhook-timestamp': 'soon' }, secret],
      [body, headersWith(''), secret],
      [body, headersWith('v1,'), secret],
      [body, headersWith('v1,%%%'), secret],
      [body, headersWith(sign(secret).replace('v1,', 'v2,')), secret],
      [body, {}, secret],
    ];
    for (const [text, headers, by] of refused) {
      await assert.rejects(verifyWebhook(text, headers, by), WebhookError);
    }
  });

  test('refuses what was sent too long ago, or in the future, by its tolerance', async () => {
    for (const seconds of [-301, 301]) {
      const sent = new Date(Date.now() + seconds * 1000);
      const headers = headersWith(sign(secret, sent), sent);
      await assert.rejects(verifyWebhook(body, headers, secret), /not fresh/);
      await verifyWebhook(body, headers, secret, { tolerance: 400 });
    }
  });

  test('says that a secret is none', async () => {
    await assert.rejects(verifyWebhook(body, headersWith(sign(secret)), 'whsec_'), TypeError);
  });
});
