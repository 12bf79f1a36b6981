import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createCoupon } from '../coupons/index.ts';
import { createGroup } from '../groups/index.ts';
import { createAffiliate } from './create-affiliate.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const change = (id: number, json: unknown, key = admin) =>
  app.call(`/svc/store/v1/affiliates/${id}`, { method: 'PATCH', key, json });
const eventsAfter = async (head: number) =>
  (await app.call(`/events?after=${head}`, { key: admin })).body.map((event: any) => [
    event.event,
    event.data,
  ]);
for (const name of ['Gold', 'Silver']) await invoke(app.site, createGroup, { name });

let made = 0;
async function make(values: Record<string, unknown> = {}): Promise<number> {
  made += 1;
  const person = { login: `new${made}`, email: `new${made}@test.example` };
  return (await invoke<{ id: number }>(app.site, createAffiliate, { ...person, ...values })).id;
}

describe('PATCH /svc/store/v1/affiliates/{id}', () => {
  describe('200', () => {
    test('the affiliate sees its new name and address immediately', async () => {
      const key = await app.key('maya', 'read');
      await app.call('/me', { key });
      const { status, body } = await change(idOf('maya'), {
        display_name: 'Maya M.',
        email: 'Maya@Elsewhere.example',
      });
      assert.equal(status, 200);
      assert.equal(body.user.display_name, 'Maya M.');
      const { user } = (await app.call('/me', { key })).body;
      assert.equal(user.display_name, 'Maya M.');
      assert.equal(user.email, 'Maya@elsewhere.example');
    });

    test('the old address is notified of the change, without the new address', async () => {
      const id = await make({ email: 'old@test.example' });
      await change(id, { email: 'new@test.example' });
      await change(id, { display_name: 'Somebody' });
      const notified = (await outbox(app.site)).filter(({ to_address }) =>
        ['old@test.example', 'new@test.example'].includes(to_address),
      );
      assert.deepEqual(
        notified.map(({ template, to_address }) => [template, to_address]),
        [['address-changed', 'old@test.example']],
      );
      assert.doesNotMatch(notified[0]!.text, /new@/);
    });

    test('an affiliate can get its own address in another case', async () => {
      const id = await make({ email: 'case@test.example' });
      const { body } = await change(id, { email: 'Case@Test.example' });
      // A domain has one spelling; what is before it may tell upper from lower case.
      assert.equal(body.user.email, 'Case@test.example');
    });

    test('groups are replaced as a whole, profile fields one by one', async () => {
      const id = await make({ groups: ['Gold'] });
      await change(id, { profile: { phone: '1', custom_fields: { a: 1 } } });
      const { body } = await change(id, {
        groups: ['silver'],
        profile: { promote: 'Blog', custom_fields: { b: null } },
      });
      assert.deepEqual(body.groups, ['Silver']);
      assert.deepEqual(body.profile, {
        phone: '1',
        website: '',
        promote: 'Blog',
        referrer: '',
        custom_fields: { b: null },
      });
      assert.deepEqual((await change(id, { groups: [] })).body.groups, []);
    });

    test('suspending and reinstating emit one event each', async () => {
      const id = await make();
      const head = await feedHead(app.site);
      assert.equal((await change(id, { status: 'suspended' })).body.status, 'suspended');
      assert.equal((await change(id, { status: 'active' })).body.status, 'active');
      assert.deepEqual(await eventsAfter(head), [
        ['affiliate.suspended', { user_id: id }],
        ['affiliate.reinstated', { user_id: id }],
      ]);
    });

    test('affiliate.updated contains the names of changed fields, not their values', async () => {
      const id = await make();
      const head = await feedHead(app.site);
      await change(id, {
        email: 'secret@test.example',
        profile: { phone: '+41 1' },
        status: 'suspended',
      });
      assert.deepEqual(await eventsAfter(head), [
        ['affiliate.updated', { user_id: id, changed: ['email', 'profile'] }],
        ['affiliate.suspended', { user_id: id }],
      ]);
    });

    test('a request that changes nothing emits no event', async () => {
      const id = await make({ groups: ['Gold', 'Silver'], profile: { phone: '1' } });
      const head = await feedHead(app.site);
      for (const json of [
        {},
        { status: 'active' },
        { groups: ['silver', 'GOLD'] },
        { profile: { phone: '1', custom_fields: {} } },
      ]) {
        assert.equal((await change(id, json)).status, 200);
      }
      assert.equal(await feedHead(app.site), head);
    });

    test('a customer with a coupon can be changed before it has an affiliate record', async () => {
      await invoke(app.site, createCoupon, { code: 'CARLA', user_id: idOf('carla') });
      const before = await app.call(`/affiliates/${idOf('carla')}`, { key: admin });
      const { body } = await change(idOf('carla'), { status: 'suspended' });
      assert.deepEqual(body, { ...before.body, status: 'suspended' });
    });
  });

  describe('400', () => {
    test('an unknown group is refused, and nothing changes', async () => {
      const id = await make({ groups: ['Gold'] });
      const reply = await change(id, { groups: ['Platinum'], status: 'suspended' });
      assert.equal(refusal(reply), '400 rest_invalid_param');
      assert.deepEqual(Object.keys(reply.body.data.params), ['groups']);
      const { body } = await app.call(`/affiliates/${id}`, { key: admin });
      assert.deepEqual([body.groups, body.status], [['Gold'], 'active']);
    });

    test('every faulty parameter is named', async () => {
      const reply = await change(1, { display_name: '', email: 'x', status: 'gone', profile: 1 });
      assert.deepEqual(Object.keys(reply.body.data.params), [
        'display_name',
        'email',
        'profile',
        'status',
      ]);
    });
  });

  describe('403', () => {
    test('a manager may change affiliates, but not an administrator who has a coupon', async () => {
      const manager = await app.key('manager', 'write');
      assert.equal((await change(await make(), { display_name: 'A' }, manager)).status, 200);
      await invoke(app.site, createCoupon, { code: 'BOSS', user_id: idOf('admin') });
      const reply = await change(idOf('admin'), { email: 'mine@test.example' }, manager);
      assert.equal(refusal(reply), '403 svc_api_forbidden');
    });

    test('an affiliate may not use this route for its own record', async () => {
      const key = await app.key('maya', 'write');
      assert.equal(refusal(await change(idOf('maya'), {}, key)), '403 svc_api_forbidden');
    });
  });

  describe('404', () => {
    test('an unknown user and a user who is not an affiliate are not found', async () => {
      assert.equal(refusal(await change(999_999, {})), '404 svc_api_not_found');
      assert.equal(refusal(await change(idOf('manager'), {})), '404 svc_api_not_found');
    });
  });

  describe('409', () => {
    test('the address of another user is refused, ignoring case', async () => {
      const reply = await change(await make(), { email: 'TOMAS@test.example' });
      assert.equal(refusal(reply), '409 svc_api_user_exists');
    });
  });
});
