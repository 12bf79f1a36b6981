import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const path = '/svc/store/v1/settings';
const post = (json: unknown, key = admin) =>
  app.call(`${path}/effects`, { method: 'POST', key, json });
const effectOf = async (json: Record<string, unknown>) => (await post(json)).body.effects[0];
const store = (to: string, json: unknown, method = 'POST') =>
  app.call(`/svc/store/v1${to}`, { method, key: admin, json });

/** Coupons with these unpaid balances, each of another affiliate. */
async function owe(...amounts: number[]): Promise<void> {
  for (const amount of amounts) {
    const login = `owed${Math.round(amount * 100)}`;
    const affiliate = await store('/affiliates', {
      login,
      email: `${login}@test.example`,
      coupon: { code: login },
    });
    assert.equal(affiliate.status, 201, affiliate.text);
    const id = affiliate.body.coupons[0].id;
    const paid = await store(`/coupons/${id}/adjustments`, { amount, note: 'for the test' });
    assert.equal(paid.status, 201, paid.text);
  }
}

describe('POST /svc/store/v1/settings/effects', () => {
  test('counts who falls below a new minimum, and who reaches a lower one', async () => {
    await owe(4.99, 5, 19.99, 20, 30);
    // A payout is of one coupon: 12 and 3 are not 15.
    const { body: other } = await store('/affiliates', {
      login: 'two',
      email: 'two@test.example',
      coupon: { code: 'two1' },
    });
    const { body: second } = await store('/coupons', { code: 'two2', user_id: other.id });
    for (const [id, amount] of [
      [other.coupons[0].id, 12],
      [second.id, 3],
    ]) {
      const paid = await store(`/coupons/${id}/adjustments`, { amount, note: 'for the test' });
      assert.equal(paid.status, 201, paid.text);
    }
    const higher = await effectOf({ 'payouts.threshold': 20 });
    assert.deepEqual([higher.count, higher.refused], [4, false]);
    assert.match(higher.text, /^4 affiliates fall below the new minimum/);
    await app.set({ 'payouts.threshold': 20 });
    const lower = await effectOf({ 'payouts.threshold': 5 });
    assert.equal(lower.count, 3);
    assert.match(lower.text, /^3 affiliates reach the new minimum/);
    await app.set({ 'payouts.threshold': 0 });
  });

  test('counts the coupons without a rate of their own or of a group', async () => {
    const before = (await effectOf({ 'commission.percent': 12 })).count;
    const own = await store('/coupons', { code: 'OWN', percent_override: 20 });
    assert.equal(own.status, 201, own.text);
    assert.equal((await store('/coupons', { code: 'PLAIN' })).status, 201);
    const { body: group } = await store('/groups', { name: 'Gold', percent_override: 15 });
    const login = 'grouped';
    const member = {
      login,
      email: 'g@test.example',
      groups: [group.name],
      coupon: { code: login },
    };
    assert.equal((await store('/affiliates', member)).status, 201);
    const { text, count } = await effectOf({ 'commission.percent': 12 });
    assert.equal(count, before + 1);
    assert.match(text, /^New orders earn 12 %; orders so far keep their rate\. \d+ coupons have/);
  });

  test('counts administrators without a second factor', async () => {
    const key = 'accounts.require_two_factor_of_administrators';
    const { count, text } = await effectOf({ [key]: true });
    assert.equal(count, 1);
    assert.match(text, /^1 administrator has no second factor/);
  });

  test('says what would be refused, and why', async () => {
    assert.deepEqual((await post({ 'site.currency': 'EUR' })).body.effects, [
      {
        setting: 'site.currency',
        text: 'It cannot be changed: amounts are already recorded in the current currency.',
        count: null,
        refused: true,
      },
    ]);
  });

  test('every sentence is complete, for settings of all kinds', async () => {
    const { status, body } = await post({
      'commission.delay_days': 14,
      'commission.max_per_order': 50,
      'commission.fixed_per_order': 1,
      'commission.granted_statuses': [],
      'orders.counted_statuses': ['completed'],
      'attribution.cookie_days': 1,
      'attribution.parameter': 'via',
      'attribution.link': 'store',
      'registrations.open': false,
      'registrations.auto_accept': true,
      'payouts.enabled': false,
      'payouts.requests_enabled': false,
      'payouts.methods': ['credit'],
      'payouts.auto_accept': true,
      'payouts.details_required': false,
      'payouts.details_hold_hours': 0,
      'api.rate_per_minute': 60,
      'api.page_rate_per_minute': 600,
      'api.site_rate_per_minute': 6_000,
      'api.disabled_endpoints': ['store:patch_settings'],
      'addons.disabled': ['multilevel'],
      'web.enabled': false,
      'webhooks.max': 1,
      'webhooks.keep_days': 7,
      'activity_log.enabled': false,
    });
    assert.equal(status, 200);
    assert.equal(body.effects.length, 25);
    for (const { text } of body.effects) assert.match(text, /^[A-Z0-9a-z].*\.$/, text);
  });

  test('changes nothing; a value that is the current one has no effect', async () => {
    const { body: before } = await app.call(path, { key: admin });
    const head = await feedHead(app.site);
    const name = before['site.name'];
    assert.deepEqual((await post({ 'site.name': name, 'payouts.threshold': 0 })).body.effects, []);
    await post({ 'payouts.threshold': 10, 'web.enabled': false });
    assert.deepEqual((await app.call(path, { key: admin })).body, before);
    assert.equal(await feedHead(app.site), head);
  });

  test('400 and 403 like the change itself', async () => {
    const bad = await post({ 'payouts.threshold': -1 });
    assert.equal(refusal(bad), '400 rest_invalid_param');
    assert.deepEqual(Object.keys(bad.body.data.params), ['payouts.threshold']);
    const manager = await app.key('manager', 'manage');
    assert.equal(refusal(await post({ 'web.enabled': false }, manager)), '403 svc_api_forbidden');
    assert.equal((await post({ 'payouts.threshold': 10 }, manager)).status, 200);
    assert.equal(refusal(await post({}, await app.key('maya', 'manage'))), '403 svc_api_forbidden');
  });
});
