import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const { app, maya } = await openPayoutApp({
  settings: { 'payouts.methods': ['credit', 'banktransfer', 'stripe'] },
});

const list = (key?: string) =>
  app.call(`${STORE}/payout-methods`, key === undefined ? {} : { key });

describe('GET /payout-methods', () => {
  test('lists the enabled methods with the schema of their details', async () => {
    const { status, body } = await list(maya);
    assert.equal(status, 200);
    assert.deepEqual(
      body.methods.map((method: any) => [
        method.method_type,
        Object.keys(method.details.properties),
      ]),
      [
        [
          'banktransfer',
          'account_holder iban account_number bank_code bic country bank_name address'.split(' '),
        ],
        ['stripe', ['account']],
        ['credit', []],
      ],
    );
    assert.deepEqual(body.methods[0].details.required, ['account_holder']);
  });

  test('says which method needs an invoice, and how long payouts wait for a review', async () => {
    assert.equal((await list(maya)).body.review_hours, 0);
    await app.set({
      'payouts.auto_accept': true,
      'payouts.details_hold_hours': 48,
      'payouts.invoice_methods': ['stripe'],
    });
    const { body } = await list(maya);
    assert.equal(body.review_hours, 48);
    assert.deepEqual(
      body.methods.filter((method: any) => method.invoice_required),
      [body.methods[1]],
    );
  });

  test('is for users', async () => {
    assert.equal((await list()).status, 401);
  });
});
