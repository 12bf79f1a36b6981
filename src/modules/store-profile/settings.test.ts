import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../../../test/support/eventually.ts';
import { openTestApp, refusal, type TestApp } from '../../../test/support/harness.ts';
import { openSecondProcess } from '../../../test/support/second-process.ts';
import { openApp } from '../../app.ts';
import { resolveConfig } from '../../installation/config.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { changeSettings } from '../settings/index.ts';

const path = '/svc/store/v1/settings';
const order = { date: '2026-03-29T12:00:00', status: 'completed', total: 10 };

async function storeOf(app: TestApp) {
  const key = await app.key('admin', 'read,write,manage');
  return {
    patch: (json: unknown) => app.call(path, { method: 'PATCH', key, json }),
    put: (id: number, json: object) =>
      app.call(`/svc/store/v1/orders/${id}`, { method: 'PUT', key, json: { ...order, ...json } }),
    post: (to: string, json: object) =>
      app.call(`/svc/store/v1/${to}`, { method: 'POST', key, json }),
  };
}

describe('site.currency and site.timezone', () => {
  for (const [currency, amount] of [
    ['JPY', 1000],
    ['HUF', 10.5],
    ['BHD', 10.125],
  ] as const) {
    test(`before the first order the currency can be changed: amounts then have the decimals of ${currency}`, async () => {
      const app = await openTestApp();
      const { patch, put } = await storeOf(app);
      assert.equal((await patch({ 'site.currency': currency })).status, 200);
      const stored = await put(1, { total: amount });
      assert.equal(stored.status, 201, stored.text);
      assert.equal(stored.body.currency, currency);
      assert.equal(stored.body.total, amount);
      const finer = await put(2, { total: amount + 0.0005 });
      assert.equal(refusal(finer), '400 rest_invalid_param');
    });
  }

  test('after the first order currency and time zone cannot be changed, with the reason', async () => {
    const app = await openTestApp();
    const { patch, put } = await storeOf(app);
    assert.equal((await put(1, {})).status, 201);
    const reply = await patch({
      'site.currency': 'EUR',
      'site.timezone': 'Asia/Tokyo',
      'site.name': 'Not this',
    });
    assert.equal(refusal(reply), '400 rest_invalid_param');
    const { params } = reply.body.data;
    assert.match(params['site.currency'], /amounts are already recorded/);
    assert.match(params['site.timezone'], /already counted by day/);
    assert.equal(app.site.currency.code, 'USD');
    assert.equal((await patch({ 'site.currency': 'USD', 'site.name': 'This' })).status, 200);
  });

  test('a fixed amount of a coupon or a group fixes the currency, not the time zone', async () => {
    for (const [to, json] of [
      ['groups', { name: 'Gold', fixed_per_order: 5 }],
      ['coupons', { code: 'FIXED', user_id: 3, fixed_per_product: 1 }],
    ] as const) {
      const app = await openTestApp();
      const { patch, post } = await storeOf(app);
      const made = await post(to, json);
      assert.equal(made.status, 201, made.text);
      assert.equal(refusal(await patch({ 'site.currency': 'EUR' })), '400 rest_invalid_param');
      assert.equal((await patch({ 'site.timezone': 'Asia/Tokyo' })).status, 200);
      assert.equal(app.site.calendar.timeZone, 'Asia/Tokyo');
    }
  });

  test('no process opens the installation with a currency other than that of its amounts', async () => {
    const app = await openTestApp();
    const { patch, put } = await storeOf(app);
    const open = async (currency: string) => {
      const flags = { data: app.app.folder.path, databaseUrl: app.databaseUrl, tls: 'off' };
      const { config } = resolveConfig({ ...flags, currency }, {});
      const opened = await openApp({ config, log: pino({ level: 'silent' }) });
      after(() => opened.close());
      return opened.site.currency.code;
    };
    await patch({ 'site.currency': 'JPY' });
    assert.equal(await open('EUR'), 'EUR', 'nothing is recorded yet');
    await put(1, {});
    await assert.rejects(open('EUR'), {
      name: 'ConfigError',
      message: /^TRIBUTARY_CURRENCY is EUR, but the amounts in the database are in JPY\./,
    });
    assert.equal(await open('JPY'), 'JPY');
  });

  test('an invalid currency or time zone is refused', async () => {
    const { patch } = await storeOf(await openTestApp());
    for (const json of [
      { 'site.currency': 'XYZ' },
      { 'site.currency': 'eur' },
      { 'site.timezone': 'Mars/Olympus' },
    ]) {
      assert.equal(refusal(await patch(json)), '400 rest_invalid_param', JSON.stringify(json));
    }
  });

  test('a process that opens the installation later uses them', async () => {
    const app = await openTestApp();
    const { patch } = await storeOf(app);
    await patch({ 'site.currency': 'JPY', 'site.timezone': 'Asia/Tokyo' });
    const later = await openSecondProcess(app);
    assert.equal(later.currency.decimals, 0);
    assert.equal(later.calendar.timeZone, 'Asia/Tokyo');
  });

  test('the configuration takes precedence', async () => {
    const app = await openTestApp({ config: { currency: 'JPY', timezone: 'Asia/Tokyo' } });
    const { patch } = await storeOf(app);
    assert.equal(app.site.currency.code, 'JPY');
    const reply = await patch({ 'site.currency': 'EUR' });
    assert.match(reply.body.data.params['site.currency'], /set by the configuration/);
  });

  test('a running server applies changes of another process', async () => {
    const app = await openTestApp();
    const other = await openSecondProcess(app);
    await invoke(other, changeSettings, { 'site.currency': 'KWD' });
    await eventually(() => assert.equal(app.site.currency.decimals, 3));
  });
});
