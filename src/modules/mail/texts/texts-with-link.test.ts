import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../../test/support/harness.ts';
import { outbox } from '../../../../test/support/outbox.ts';
import { mailLinks } from '../../accounts/link-requests.ts';
import { createUser } from '../../users/index.ts';
import { usesLink, mails } from '../mail.ts';
import { LINK_PLACEHOLDER } from '../one-time-link.ts';
import { saveOwnText } from './text-rows.ts';

const app = await openTestApp();
await app.site.database.transaction((tx) =>
  createUser(tx, app.site, {
    login: 'second',
    email: 'second@test.example',
    role: 'administrator',
    passwordHash: null,
  }),
);
const admin = await app.key('admin', 'manage');
const manager = await app.key('manager', 'manage');
const MAILS = '/svc/store/v1/mails';
const RESET = `${MAILS}/password-reset/en`;
const own = { subject: 'Your password', text: 'Hello,\n\n{{link}}\n\nBye' };
const put = (json: object, key = admin, path = RESET) =>
  app.call(path, { method: 'PUT', key, json });
const stored = async () => (await app.call(RESET, { key: admin })).body;
const written = async (template: string) =>
  (await outbox(app.site)).filter((mail) => mail.template === template);

test('403 for a manager, for every mail with a one-time link and for the notice about them', async () => {
  const guarded = app.site.registry.contributions(mails).filter(usesLink);
  assert.ok(guarded.length >= 7, guarded.map(({ name }) => name).join());
  for (const { name } of [...guarded, { name: 'mail-text-changed' }]) {
    const path = `${MAILS}/${name}/en`;
    const { body } = await app.call(path, { key: manager });
    assert.equal(body.administrators_only, true, name);
    const words = { subject: 'Other', text: body.text };
    assert.equal(refusal(await put(words, manager, path)), '403 svc_api_forbidden', name);
    const removal = await app.call(path, { method: 'DELETE', key: manager });
    assert.equal(refusal(removal), '403 svc_api_forbidden', name);
  }
  assert.deepEqual(await written('mail-text-changed'), []);
  const free = `${MAILS}/payout-paid/en`;
  const { body } = await app.call(free, { key: manager });
  assert.equal(body.administrators_only, false);
  assert.equal(
    refusal(await put({ subject: 'Go', text: '{{link}}' }, manager, free)),
    '400 rest_invalid_param',
  );
});

describe('400: the link is not alone on its line, or there is not exactly one', () => {
  for (const text of [
    'https://collect.example/?u={{link}}',
    '{{link}}.collect.example',
    'Open {{link}}',
    '{{link}} {{name}}',
    '{{link}}\n\n{{link}}',
    '{{link}}\n\nhttps://collect.example/?u={{link}}',
    'https://collect.example/?u={{#name}}\n{{/name}}\n{{link}}',
    'https://collect.example/?u={{^name}}\n{{/name}}\n{{link}}',
    '{{link}}{{#name}}\n{{/name}}.collect.example',
    '{{link}}\n{{#link}}https://collect.example/?u={{.}}{{/link}}',
    '{{#link}}https://collect.example/?u={{.}}{{/link}}',
    '{{link}}\n{{#link}}{{^name}}https://collect.example/?u={{.}}{{/name}}{{/link}}',
    '{{#name}}\n\n{{link}}\n\n{{/name}}',
    '{{^name}}{{link}}{{/name}}\n\n{{link}}',
    'https://collect.example/?u=\u2028{{link}}',
    'https://collect.example/?u=\r{{link}}',
    'https://collect.example/?u={{! \n}}{{link}}',
    '\u200b{{link}}',
    'No link',
  ]) {
    test(JSON.stringify(text), async () => {
      const reply = await put({ ...own, text });
      assert.equal(refusal(reply), '400 rest_invalid_param');
      assert.match(reply.body.data.params.text, /exactly once, alone on its line|placeholder/);
      assert.equal((await stored()).is_own, false);
    });
  }

  test('nor is it in the subject', async () => {
    for (const subject of ['{{link}}', '{{#link}}{{.}}{{/link}}', '{{#link}}x{{/link}}']) {
      assert.equal(refusal(await put({ ...own, subject })), '400 rest_invalid_param', subject);
    }
  });
});

test('an administrator stores it; each change is mailed to all administrators, a repetition is not', async () => {
  for (const text of [
    '{{link}}',
    own.text,
    'A\n  {{link}}\t\nB',
    '{{#link}}\n\n{{link}}\n{{/link}}',
  ]) {
    assert.equal((await put({ ...own, text })).status, 200, text);
  }
  assert.equal((await put({ ...own, text: '{{#link}}\n\n{{link}}\n{{/link}}' })).status, 200);
  assert.equal((await app.call(RESET, { method: 'DELETE', key: admin })).status, 200);
  const notices = await written('mail-text-changed');
  assert.equal(notices.length, 10);
  for (const to of ['admin@test.example', 'second@test.example']) {
    assert.equal(notices.filter(({ to_address }) => to_address === to).length, 5);
  }
  assert.match(notices[0]!.text, /admin has changed the text of the email "password-reset" \(en\)/);
});

test('a session needs a recent proof; a text without a link does not', async () => {
  const session = await app.signIn('admin');
  app.advance(11 * 60_000);
  const change = (path: string, json: object) => app.call(path, { method: 'PUT', session, json });
  assert.equal(refusal(await change(RESET, own)), '403 svc_api_proof_required');
  const removal = await app.call(RESET, { method: 'DELETE', session });
  assert.equal(refusal(removal), '403 svc_api_proof_required');
  assert.equal(
    (await change(`${MAILS}/password-changed/en`, { subject: 'A', text: 'B' })).status,
    200,
  );
  const json = { password: 'correct horse battery' };
  assert.equal((await app.call('~/session/proof', { method: 'POST', session, json })).status, 200);
  assert.equal((await change(RESET, own)).status, 200);
});

test('a text that was stored before the rule is not used, and its record says why', async () => {
  const text = 'Hello,\n\nhttps://collect.example/?u={{link}}';
  await app.site.database.transaction((tx) =>
    saveOwnText(tx, {
      name: 'password-reset',
      language: 'en',
      subject: 'Old',
      text,
      updated_at: app.site.clock(),
      updated_by: 2,
    }),
  );
  const reply = await app.call('/svc/store/v1/account/password-resets', {
    method: 'POST',
    json: { email: 'admin@test.example' },
  });
  assert.equal(reply.status, 202, reply.text);
  await mailLinks.run(app.site);
  const [mail] = await written('password-reset');
  assert.ok(mail!.text.includes(`\n${LINK_PLACEHOLDER}\n`), mail!.text);
  assert.ok(!mail!.text.includes('collect.example'));
  assert.ok(!mail!.html.includes('collect.example'));
  assert.ok(app.logs.some((line) => line.includes('own text of a mail is not used')));

  const { ignored, subject, is_own } = await stored();
  assert.deepEqual([is_own, ignored.text], [true, text]);
  assert.match(ignored.reason, /alone on its line/);
  assert.notEqual(subject, 'Old');
});
