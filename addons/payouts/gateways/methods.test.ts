import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { freeEdition } from '../../../src/edition-free.ts';
import { defineModule } from '../../../src/kernel/declare/module.ts';
import { openTestApp } from '../../../test/support/harness.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { samplePayout } from '../test/sample-payout.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { findMethod, methodsOf } from './methods.ts';

const settingsAlone = defineModule({
  name: 'gateway-settings',
  summary: 'What the gateways read',
  addon: true,
  settings: gatewaySettings,
});
const modules = [...freeEdition, settingsAlone];
const app = await openTestApp({ modules });
const method = (type: string, { site } = app) => findMethod(site, type)!;

const holder = { account_holder: 'Maya Lindqvist' };
const account = { ...holder, account_number: '12345678', bank_code: '011000015', country: 'US' };

describe('the methods', () => {
  test('that are built in', () => {
    assert.deepEqual(
      methodsOf(app.site).map(({ type, label }) => [type, label]),
      [
        ['banktransfer', 'Bank transfer'],
        ['paypal', 'PayPal'],
        ['stripe', 'Stripe'],
        ['wise', 'Wise'],
        ['credit', 'Store credit'],
      ],
    );
    assert.equal(findMethod(app.site, 'cash'), undefined);
  });

  for (const [type, good] of [
    ['banktransfer', { ...holder, iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' }],
    ['banktransfer', account],
    ['paypal', { email: 'maya@test.example' }],
    ['stripe', { account: 'acct_1AbCdEfGhIjKlMnO' }],
    ['wise', { target_account: 4_455_667_788 }],
    ['credit', {}],
  ] as const) {
    test(`${type} takes ${Object.keys(good).join(', ') || 'nothing'}`, () => {
      assert.ok(Compile(method(type).details).Check(good));
      const masked = method(type).mask(good);
      assert.ok(masked.length > 0);
      for (const value of Object.values(good)) assert.ok(!masked.includes(String(value)), masked);
    });
  }

  for (const [type, why, bad] of [
    ['banktransfer', 'no account', holder],
    ['banktransfer', 'a number without a bank', { ...holder, account_number: '12345678' }],
    ['banktransfer', 'a country in words', { ...account, country: 'Germany' }],
    ['banktransfer', 'an address of two lines', { ...account, address: '1 Road\nTown' }],
    ['banktransfer', 'no holder', { iban: 'DE89370400440532013000' }],
    ['banktransfer', 'a mistyped IBAN', { ...holder, iban: 'DE89370400440532013001' }],
    ['banktransfer', 'a BIC that is none', { ...account, bic: 'COBA' }],
    ['banktransfer', 'something more', { ...account, note: 'x' }],
    ['paypal', 'no address', { email: 'maya' }],
    ['paypal', 'nothing', {}],
    ['stripe', 'another kind of id', { account: 'cus_1AbCdEfGhIjKlMnO' }],
    ['stripe', 'a path', { account: 'acct_12345678/../x' }],
    ['wise', 'a text', { target_account: '4455667788' }],
    ['wise', 'zero', { target_account: 0 }],
    ['credit', 'something', { account: 'x' }],
  ] as const) {
    test(`${type} refuses ${why}`, () => {
      assert.ok(!Compile(method(type).details).Check(bad));
    });
  }

  test('a bank account is masked', () => {
    const { mask } = method('banktransfer');
    assert.equal(mask({ ...holder, iban: 'de89 3704 0044 0532 0130 00' }), 'DE…3000');
    assert.equal(mask(account), '…5678');
    assert.equal(mask({ ...account, account_number: '12345' }), '…45');
  });
});

describe('the gateways', () => {
  test('a bank transfer has no gateway', () => {
    assert.equal(method('banktransfer').gateway(app.site), undefined);
  });

  test('store credit is paid immediately', async () => {
    const gateway = method('credit').gateway(app.site)!;
    const outcome = { status: 'paid', transaction_id: 'credit-12' };
    assert.deepEqual(await gateway.pay(samplePayout()), outcome);
    assert.deepEqual(await gateway.ask(samplePayout()), outcome);
  });

  for (const [type, credentials] of [
    ['stripe', { 'payouts.stripe_key': 'sk_x' }],
    ['paypal', { 'payouts.paypal_client_id': 'id', 'payouts.paypal_secret': 'x' }],
    ['wise', { 'payouts.wise_token': 'x', 'payouts.wise_profile': '7001' }],
  ] as const) {
    test(`${type} has one as soon as all credentials are set`, async () => {
      for (const [key, value] of Object.entries(credentials)) {
        assert.equal(method(type).gateway(app.site), undefined, key);
        await app.set({ [key]: value });
      }
      assert.equal(method(type).gateway(app.site)!.method_type, type);
    });
  }

  test('credentials and addresses from the configuration', async () => {
    const config = { stripeKey: 'sk_y', stripeUrl: 'http://127.0.0.1:1' };
    const configured = await openTestApp({ modules, config });
    const { pay } = method('stripe', configured).gateway(configured.site)!;
    const details = { account: 'acct_1AbCdEfGhIjKlMnO' };
    assert.equal((await pay(samplePayout({ details }))).status, 'unknown');
  });

  test("an extension's gateway adds a method or replaces the gateway of a built-in one", async () => {
    const file = join(tempFolder(), 'own.mjs');
    const gateway = (type: string) =>
      `{ method_type: '${type}', label: 'Own', pay() {}, ask() {} }`;
    const gateways = `[${gateway('cash')}, ${gateway('banktransfer')}]`;
    writeFileSync(file, `export default { name: 'own', gateways: ${gateways} };`);
    const extended = await openTestApp({ modules, config: { extensions: file } });
    assert.equal(methodsOf(extended.site).length, 6);
    const cash = method('cash', extended);
    assert.equal(cash.label, 'Own');
    assert.ok(Compile(cash.details).Check({ anything: ['goes'] }));
    assert.equal(cash.mask({ anything: ['goes'] }), 'set');
    assert.equal(cash.gateway(extended.site)!.method_type, 'cash');
    const transfer = method('banktransfer', extended);
    assert.equal(transfer.label, 'Bank transfer');
    assert.ok(!Compile(transfer.details).Check({ anything: ['goes'] }));
    assert.equal(transfer.gateway(extended.site)!.label, 'Own');
  });
});
