import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

// Add-ons have notices of their own.
const app = await openTestApp({ config: { edition: 'free' } });
const maya = await app.key('maya', 'read,write');
const admin = await app.key('admin', 'read,write,manage');
const PATH = '/svc/store/v1/account';
const show = (key: string) => app.call(PATH, { key });
const change = (body: object, key = maya) => app.call(PATH, { method: 'PATCH', key, json: body });

describe('GET /account', () => {
  test("shows the caller's own account", async () => {
    const { status, body } = await show(maya);
    assert.equal(status, 200);
    assert.equal(body.user.login, 'maya');
    assert.equal(body.role, 'affiliate');
    assert.equal(body.is_affiliate, true);
    assert.equal(body.affiliate_status, 'active');
    assert.equal(body.language, '');
    assert.deepEqual(body.notifications, {
      earnings: true,
      report: true,
      rewards: true,
    });
  });

  test('shows an administrator the notices for the team', async () => {
    const { body } = await show(admin);
    assert.equal(body.affiliate_status, null);
    assert.deepEqual(body.notifications, {
      applications: true,
      earnings: true,
      report: true,
      rewards: true,
    });
  });

  test('shows a manager the notices for the team', async () => {
    const { body } = await show(await app.key('manager', 'read'));
    assert.deepEqual(body.notifications, {
      applications: true,
      earnings: true,
      report: true,
      rewards: true,
    });
  });

  test('is refused without a credential', async () => {
    assert.equal((await app.call(PATH)).status, 401);
  });
});

describe('PATCH /account', () => {
  test('changes the language and the notices, and emits an event', async () => {
    const before = await feedHead(app.site);
    const { status, body } = await change({ language: 'fr', notifications: { report: false } });
    assert.equal(status, 200);
    assert.equal(body.language, 'fr');
    assert.deepEqual(body.notifications, {
      earnings: true,
      report: false,
      rewards: true,
    });
    assert.deepEqual((await show(maya)).body, body);
    const { body: events } = await app.call(`/events?after=${before}&event=account`, {
      key: admin,
    });
    assert.deepEqual(
      events.map((one: { event: string; data: unknown }) => [one.event, one.data]),
      [['account.updated', { user_id: body.user.id, changed: ['language', 'notifications'] }]],
    );
  });

  test('a suspended affiliate keeps the choice of language and name', async () => {
    const suspend = (status: string) =>
      app.call(`/svc/store/v1/affiliates/${idOf('tomas')}`, {
        method: 'PATCH',
        key: admin,
        json: { status },
      });
    const tomas = await app.key('tomas', 'read,write');
    assert.equal((await suspend('suspended')).status, 200);
    const { status, body } = await change({ language: 'de' }, tomas);
    assert.equal(status, 200);
    assert.equal(body.language, 'de');
    await suspend('active');
  });

  test('what is left out stays, and nothing changed emits nothing', async () => {
    const before = await feedHead(app.site);
    const { body } = await change({ language: 'fr' });
    assert.deepEqual(body.notifications, {
      earnings: true,
      report: false,
      rewards: true,
    });
    assert.equal(await feedHead(app.site), before);
  });

  test('a new name is shown everywhere, and the affiliate counts as updated', async () => {
    const before = await feedHead(app.site);
    const name = (await show(maya)).body.user.display_name;
    assert.equal(
      (await change({ display_name: 'Maya María' })).body.user.display_name,
      'Maya María',
    );
    assert.equal((await app.call('/me', { key: maya })).body.user.display_name, 'Maya María');
    for (const event of ['account.updated', 'affiliate.updated']) {
      const path = `/events?after=${before}&event=${event}`;
      assert.equal((await app.call(path, { key: admin })).body.length, 1, event);
    }
    await change({ display_name: name });
  });

  for (const [why, body] of [
    ['a language that does not exist', { language: 'xx' }],
    ['a notice that does not exist', { notifications: { payout: false } }],
    ['an empty name', { display_name: ' ' }],
    ['an unknown field', { role: 'administrator' }],
  ] as const) {
    test(`${why} is refused`, async () => {
      assert.equal(refusal(await change(body)), '400 rest_invalid_param');
    });
  }

  test('two concurrent changes are both kept', async () => {
    await Promise.all([
      change({ language: 'pt' }, admin),
      change({ notifications: { earnings: false } }, admin),
      change({ notifications: { applications: false } }, admin),
    ]);
    const { body } = await show(admin);
    assert.equal(body.language, 'pt');
    const { earnings, applications } = body.notifications;
    assert.deepEqual([earnings, applications], [false, false]);
  });
});
