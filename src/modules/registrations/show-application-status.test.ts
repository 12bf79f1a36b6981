import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { createAccountLink } from '../accounts/index.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');

const SIGN_IN = /class="button" data-kind="primary" href="\/app\/login"/;

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

  test('200: accepted, with the code; the invitation again, or the way to sign in', async () => {
    await decide('accepted', 'Welcome <b>aboard</b>');
    const { text } = await app.call(`~${path}`);
    assert.match(text, /Accepted/);
    const { coupon_code } = (await app.call(`/registrations/${id}`, { key: admin })).body;
    assert.match(coupon_code, /^[A-Z0-9]{8}$/);
    assert.ok(text.includes(coupon_code), coupon_code);
    assert.match(text, /Welcome &lt;b>aboard/);
    assert.match(text, /Send the invitation again/);
    assert.doesNotMatch(text, SIGN_IN);
    const { user } = (await app.call(`/registrations/${id}`, { key: admin })).body;
    const link = await app.site.database.transaction((tx) =>
      createAccountLink(tx, app.site, { userId: user.id, purpose: 'invitation' }, app.site.clock()),
    );
    const token = new URL(link).searchParams.get('token')!;
    const form = new URLSearchParams({ token, password: 'three brown otters' }).toString();
    const chosen = await app.call('~/app/invitation', { method: 'POST', form });
    assert.equal(chosen.status, 303);
    const later = (await app.call(`~${path}`)).text;
    assert.match(later, SIGN_IN);
    assert.doesNotMatch(later, /Send the invitation again/);
  });

  test('200: declined, with the message', async () => {
    await decide('declined', 'Not now');
    const { text } = await app.call(`~${path}`);
    assert.match(text, /Declined[^]*Not now/);
    assert.doesNotMatch(text, SIGN_IN);
    assert.doesNotMatch(text, /Send the invitation again/);
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

describe('POST /apply/status', () => {
  const tokenOf = () => new URLSearchParams(path.split('?')[1]).get('token')!;
  const ask = (token: string, headers = {}) => {
    const form = new URLSearchParams({ token }).toString();
    return app.call('~/apply/status', { method: 'POST', form, headers });
  };
  const mails = async () =>
    (await outbox(app.site)).filter(
      ({ template, to_address }) =>
        template === 'account-invitation' && to_address === `one${number}@test.example`,
    );

  test('303: the invitation again, one in five minutes, with the same answer', async () => {
    await decide('accepted', '');
    app.advance(5 * MINUTE_MS);
    const replies = await Promise.all([1, 2, 3].map(() => ask(tokenOf())));
    for (const { status, headers } of replies) {
      assert.equal(status, 303);
      assert.equal(headers.get('location'), `${path}&sent=1`);
    }
    const [mail, ...more] = await mails();
    assert.equal(more.length, 0);
    // No admin has to have reviewed the name.
    assert.doesNotMatch(mail!.text + mail!.to_name, /Ann\b/);
    assert.match((await app.call(`~${path}&sent=1`)).text, /on its way/);
  });

  test('303: no mail right after the decision, before it, or for a wrong token', async () => {
    assert.equal((await ask(tokenOf())).status, 303);
    await decide('accepted', '');
    assert.equal((await ask(tokenOf())).status, 303);
    assert.equal((await ask(`${id}.x`)).status, 303);
    assert.deepEqual(await mails(), []);
  });

  test('403: from a page of another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' };
    assert.equal((await ask(tokenOf(), headers)).status, 403);
  });
});
