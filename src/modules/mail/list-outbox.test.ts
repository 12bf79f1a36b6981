import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { openTestApp, refusal } from '../../../test/support/harness.ts';
import { inEveryLanguage, testMail } from '../../../test/support/in-every-language.ts';
import { mailBody } from '../../../test/support/mail-body.ts';
import { enqueueMail } from './index.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'manage');
const note = testMail(
  'test-note',
  inEveryLanguage({ subject: 'Note', text: '{{text}}' }),
  Type.Object({ text: Type.String() }),
);
const list = (query = '', key = admin) => app.call(`/svc/store/v1/outbox${query}`, { key });

for (const [i, address] of ['a@test.example', 'no address', 'b@test.example'].entries()) {
  await app.site.database.transaction(async (tx) =>
    enqueueMail(tx, app.site, note, {
      to: { address, name: 'Somebody' },
      data: { text: `text ${i}` },
      key: String(i),
      nowMs: app.site.clock(),
    }),
  );
}

describe('GET /outbox', () => {
  describe('200', () => {
    test('a manager sees no mail to an administrator', async () => {
      const manager = await app.key('manager', 'manage');
      const { body: own } = await app.call('/svc/v2/me', { key: admin });
      await app.site.database.transaction(async (tx) =>
        enqueueMail(tx, app.site, note, {
          to: { address: own.user.email, name: 'Admin' },
          data: { text: 'for administrators' },
          key: 'to an administrator',
          nowMs: app.site.clock(),
        }),
      );
      const found = await list(`?to=${encodeURIComponent(own.user.email)}`);
      const { id } = found.body[0];
      const { body, headers } = await list('', manager);
      assert.deepEqual(
        body.map((mail: any) => mail.to),
        ['b@test.example', 'no address', 'a@test.example'],
      );
      assert.equal(headers.get('x-svc-total'), '3');
      const absent = await app.call('/svc/store/v1/outbox/987654', { key: manager });
      for (const [method, path] of [
        ['GET', `/${id}`],
        ['GET', `/${id}/preview`],
        ['POST', `/${id}/retry`],
      ] as const) {
        const reply = await app.call(`/svc/store/v1/outbox${path}`, { key: manager, method });
        assert.deepEqual([reply.status, reply.text], [404, absent.text], path);
      }
      await app.site.database.transaction((tx) =>
        tx.execute(`delete from outbox where id = ${id}`),
      );
    });

    test('mails are listed newest first, each with its state', async () => {
      const { status, body, headers } = await list();
      assert.equal(status, 200);
      assert.equal(headers.get('x-svc-total'), '3');
      assert.deepEqual(
        body.map((mail: any) => [mail.to, mail.state, mailBody(mail.text)]),
        [
          ['b@test.example', 'pending', 'text 2'],
          ['no address', 'failed', 'text 1'],
          ['a@test.example', 'pending', 'text 0'],
        ],
      );
      const { id, date_created, text, ...rest } = body[0];
      assert.ok(id > 0 && date_created);
      assert.match(text, /^text 2\n\n-- \nMy store\nYou are getting this email because/);
      assert.deepEqual(rest, {
        template: 'test-note',
        to: 'b@test.example',
        subject: 'Note',
        state: 'pending',
        attempts: 0,
        last_error: '',
        date_sent: null,
      });
    });

    test('the list can be filtered by state and is paginated', async () => {
      const { body, headers } = await list('?state=pending&per_page=1&page=2');
      assert.deepEqual(
        body.map((mail: any) => mailBody(mail.text)),
        ['text 0'],
      );
      assert.equal(headers.get('x-svc-totalpages'), '2');
      assert.deepEqual((await list('?state=sent')).body, []);
    });
  });

  test('400: an invalid state', async () => {
    assert.equal(refusal(await list('?state=lost')), '400 rest_invalid_param');
  });

  test('403: a key without the scope, and a user who is not an admin', async () => {
    const reader = await app.key('admin', 'read,write');
    assert.equal(refusal(await list('', reader)), '403 svc_api_insufficient_scope');
    const maya = await app.key('maya', 'manage');
    assert.equal(refusal(await list('', maya)), '403 svc_api_forbidden');
  });
});

describe('GET /outbox/{id}', () => {
  test('200: the mail with its HTML part', async () => {
    const [{ id, ...rest }] = (await list()).body;
    const { status, body } = await list(`/${id}`);
    assert.equal(status, 200);
    const { html, ...same } = body;
    assert.deepEqual(same, { id, ...rest });
    assert.match(html, /^<!doctype html>/);
  });

  test('404 for an unknown mail, 403 for an affiliate', async () => {
    assert.equal((await list('/999999')).status, 404);
    assert.equal((await list('/1', await app.key('maya', 'manage'))).status, 403);
  });
});

describe('GET /outbox/{id}/preview', () => {
  test('200: the HTML part, which may load and run nothing', async () => {
    const [{ id }] = (await list()).body;
    const { status, text, headers } = await list(`/${id}/preview`);
    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^text\/html/);
    assert.match(text, />text 2</);
    const policy = headers.get('content-security-policy')!;
    for (const part of ["default-src 'none'", "style-src 'unsafe-inline'", 'sandbox']) {
      assert.ok(policy.includes(part), part);
    }
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  test('404 for an unknown mail, 403 for an affiliate', async () => {
    assert.equal((await list('/999999/preview')).status, 404);
    assert.equal((await list('/1/preview', await app.key('maya', 'manage'))).status, 403);
  });
});
