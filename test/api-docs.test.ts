import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTestApp } from './support/harness.ts';

const text = readFileSync(join(import.meta.dirname, '../docs/api.md'), 'utf8');
/** The requests of the page: method, path below `$STORE`, body. */
const requests = [
  ...text.matchAll(
    /^curl (?:-X (\w+) )?\$STORE(\S+) -H "\$AUTH"(?:[^']*'[^']*' \\\n\s+-d '([^']+)')?/gm,
  ),
].map(([, method = 'GET', path, body]) => ({ method, path, body }));

test('the first order of docs/api.md takes three requests and is explained', async () => {
  const app = await openTestApp();
  const key = await app.key('admin', 'read,write');
  assert.deepEqual(
    requests.map(({ method }) => method),
    ['POST', 'PUT', 'GET'],
  );
  const replies = [];
  for (const { method, path, body } of requests) {
    const json = body && { json: JSON.parse(body) as object };
    replies.push(await app.call(`/svc/store/v1${path}`, { method, key, ...json }));
  }
  const texts = replies.map(({ text: reply }) => reply).join('\n');
  assert.deepEqual(
    replies.map(({ status }) => status),
    [201, 201, 200],
    texts,
  );
  const [affiliate, , explained] = replies.map(({ body }) => body);
  assert.equal(affiliate.coupons[0].code, 'NORA10');
  const [referral] = explained.referrals;
  assert.deepEqual([referral.credited_by, referral.commission], ['coupon_codes', 5]);
});
