import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openTestApp } from '../../../test/support/harness.ts';
import { tempFile } from '../../../test/support/temp-folder.ts';
import { extensionGateways, extensionRefusal } from '../extension.ts';

const request = {
  coupon_id: 1,
  user_id: 3,
  amount: 500,
  currency: 'EUR',
  method_type: 'banktransfer',
};

describe('an extension from a file', async () => {
  const extensions = tempFile(
    'cash.ts',
    `import type { Extension } from '${pathToFileURL('src/kernel/declare/extension.ts').href}';
     const extension: Extension = {
       name: 'ours',
       refusePayout: ({ amount }) => (amount > 100 ? 'Ask the owner first.' : undefined),
       gateways: [{
         method_type: 'cash',
         label: 'Cash',
         pay: async (payout) => ({ status: 'paid', transaction_id: payout.idempotency_key }),
         ask: async () => ({ status: 'unknown' }),
       }],
     };
     export default extension;`,
  );
  const app = await openTestApp({ config: { extensions } });

  test('refuses payouts with its own message', async () => {
    assert.equal(await extensionRefusal(app.site, request), 'Ask the owner first.');
    assert.equal(await extensionRefusal(app.site, { ...request, amount: 50 }), undefined);
  });

  test('adds a gateway', async () => {
    const [gateway] = extensionGateways(app.site);
    assert.equal(gateway!.method_type, 'cash');
    const payout = {
      payout_id: 1,
      amount: 5,
      amount_minor: 500,
      currency: 'EUR',
      details: {},
      idempotency_key: 'p1',
      transaction_id: '',
      begun_at: '2026-01-01T00:00:00.000Z',
      repeated: false,
    };
    assert.deepEqual(await gateway!.pay(payout), { status: 'paid', transaction_id: 'p1' });
  });
});
