import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { openTestApp } from '../../../test/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');

let number = 0;
let path: string;
let id: number;

beforeEach(async () => {
  number += 1;
  const fields = { login: `one${number}`, email: `one${number}@test.example`, display_name: 'Ann' };
  const form = new URLSearchParams(fields).toString();
  const { text } = await app.call('~/apply', { method: 'POST', form });
  path = /href="(\/apply\/status[^"]+)"/.exec(text)![1]!;
  id = (await app.call('/registrations', { key: admin })).body[0].id;
});

const decide = (status: string, message: string) =>
  app.call(`/registrations/${id}/status`, {
    method: 'POST',
    key: admin,
    json: { status, message },
  });

describe('GET /apply/status', () => {
  test('200: received, with the date and what comes next; nothing that was entered', async () => {
    const { status, text, headers } = await app.call(`~${path}`);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.match(text, /Received, under review/);
    assert.doesNotMatch(text, /one\d+|Ann\b/);
    assert.match(text, /href="\?token=[^"]+&amp;lang=de"/, 'another language keeps the token');
    assert.match((await app.call(`~${path}&lang=de`)).text, /Eingegangen, wird geprüft/);
  });

  test('200: accepted, with the code and the way to sign in', async () => {
    await decide('accepted', 'Welcome <b>aboard</b>');
    const { text } = await app.call(`~${path}`);
    assert.match(text, /Accepted/);
    assert.match(text, new RegExp(`one${number}10`));
    assert.match(text, /Welcome &lt;b>aboard/);
    assert.match(text, /href="\/app\/login"/);
  });

  test('200: declined, with the message', async () => {
    await decide('declined', 'Not now');
    const { text } = await app.call(`~${path}`);
    assert.match(text, /Declined[^]*Not now/);
    assert.doesNotMatch(text, /class="button" data-kind="primary" href="\/app\/login"/);
  });

  test('404: a wrong token, that of another application, none, markup', async () => {
    const token = new URLSearchParams(path.split('?')[1]).get('token')!;
    const [, hash] = token.split('.');
    for (const wrong of ['', 'x', `${id + 1}.${hash}`, `0${token}`, `${token}x`, '"><script>']) {
      const { status, text } = await app.call(`~/apply/status?token=${encodeURIComponent(wrong)}`);
      assert.equal(status, 404, wrong);
      assert.match(text, /No such application/);
      assert.ok(!text.includes('<script>'));
    }
  });
});
