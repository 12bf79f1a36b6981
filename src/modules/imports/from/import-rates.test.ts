import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../../test/support/harness.ts';
import { undoImport } from '../undo/undo-import.ts';
import { readSource } from './read-file.ts';
import { runImport, type ImportResult } from './run-import.ts';
import { systems } from './systems.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';
const samples = new URL('../../../../test/moving/rates/', import.meta.url).pathname;

const filesOf = (name: string) =>
  readdirSync(join(samples, name))
    .toSorted()
    .map((file) => join(samples, name, file));

function importing(name: string, dryRun: boolean, files = filesOf(name)): Promise<ImportResult> {
  const system = systems.find((one) => one.name === name)!;
  const options = { dryRun, invite: false, runBy: 'test' };
  return runImport(app.site, system, files.map(readSource), options);
}

const send = async (method: string, path: string, json?: object) => {
  const reply = await app.call(path, { method, key: admin, ...(json && { json }) });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.body;
};
const saved = async () =>
  (await send('GET', `${STORE}/rewards/rules`)).rules.map(({ sentence }: any) => sentence);
const said = ({ rules }: ImportResult) => rules.map(({ sentence }) => sentence('en'));
const refused = ({ lines }: ImportResult) =>
  lines
    .filter(({ outcome }) => outcome === 'refused')
    .map(({ file, line, messages }) => `${file}:${line} ${messages.join('; ')}`);
const earned = async (id: number, order: object) => {
  await send('PUT', `${STORE}/orders/${id}`, {
    status: 'completed',
    date: '2026-03-01T10:00:00',
    ...order,
  });
  const { referrals } = await send('GET', `${STORE}/orders/${id}/commission`);
  return referrals.map(({ commission }: any) => commission);
};

/** The rules of each system, as the dry run shows them. */
const expected: Record<string, string[]> = {
  affiliatewp: [
    'No one earns anything on product 102.',
    'Everyone earns 5% and $0.00 per product for payments 2 to 12 of a subscription.',
    'Quin Lau earns 35% and $0.00 per product for orders except renewals of subscriptions.',
    'Sue Katz earns 0% and $7.50 per product for orders except renewals of subscriptions.',
    'Everyone earns 30% and $0.00 per product on products 101 and 104 for orders except renewals of subscriptions.',
    'Everyone earns 0% and $1.25 per product on product 105 for orders except renewals of subscriptions.',
    'Everyone earns 20% for orders except renewals of subscriptions; 22.5% from 10 and 25% from 40 confirmed orders in a calendar month.',
  ],
  'coupon-affiliates': [
    'Everyone earns 15% on products 61 and 62.',
    'Everyone earns $0.50 per product on product 63.',
  ],
  rewardful: [
    'Uma Dean earns 0% and $15.00 per order, limited to the first 3 payments of a customer.',
    'Everyone earns 30% and $0.00 per order, limited to 12 months from the first order of a customer.',
  ],
  firstpromoter: [
    'Wes Holt earns 25%; 30% from 50 confirmed new customers in total.',
    'Everyone earns 20%, limited to 12 months from the first order of a customer.',
  ],
};

describe('rates of another system become reward rules', () => {
  for (const [name, sentences] of Object.entries(expected)) {
    test(`${name}: a dry run shows the sentences, the import makes them, an undo removes them`, async () => {
      const before = await saved();
      const dry = await importing(name, true);
      assert.deepEqual(said(dry), sentences);
      assert.deepEqual(await saved(), before, 'a dry run keeps nothing');
      const done = await importing(name, false);
      assert.deepEqual(said(done), sentences);
      assert.deepEqual(await saved(), [...before, ...sentences]);
      assert.deepEqual(
        done.lines.map(({ outcome }) => outcome),
        dry.lines.map(({ outcome }) => outcome),
      );
      const again = await importing(name, false);
      assert.ok(again.rules.every(({ outcome }) => outcome === 'known'));
      assert.deepEqual(await saved(), [...before, ...sentences], 'equal rules are made once');
      await undoImport(app.site, again.id!);
      const { rules } = await undoImport(app.site, done.id!);
      assert.equal(rules, sentences.length);
      assert.deepEqual(await saved(), before);
    });
  }

  test('orders earn by them, and rules that were changed since outlive the undo', async () => {
    const { id, rules } = await importing('affiliatewp', false);
    const order = (code: string, product_id: number) => ({
      subtotal: 100,
      total: 100,
      coupon_codes: [code],
      items: [{ product_id, quantity: 1, subtotal: 100, total: 100 }],
    });
    assert.deepEqual(
      await earned(81_001, order('quin', 105)),
      [35],
      'the own rate, nothing beside',
    );
    assert.deepEqual(await earned(81_002, order('pam', 101)), [30], 'the rate of the product');
    assert.deepEqual(await earned(81_003, order('pam', 102)), [0], 'an excluded product');
    assert.deepEqual(await earned(81_004, order('pam', 105)), [1.25], 'an amount, no percentage');
    assert.deepEqual(await earned(81_005, order('pam', 103)), [20], 'the first step');
    await assert.rejects(undoImport(app.site, id!), /money has moved since/);
    assert.equal((await saved()).length, rules.length, 'nothing was removed');

    const rates = await importing('coupon-affiliates', false);
    const list = (await send('GET', `${STORE}/rewards/rules`)).rules;
    const changed = list.at(-1);
    await send('PATCH', `${STORE}/rewards/rules/${changed.id}`, { rate: { percent: 1 } });
    const undone = await undoImport(app.site, rates.id!);
    assert.deepEqual(
      [undone.rules, undone.kept],
      [1, [`reward rule ${changed.id} (was changed since)`]],
    );
    assert.equal((await saved()).length, rules.length + 1);
  });

  test('coupons get the rates of their own', async () => {
    const { id, lines } = await importing('coupon-affiliates', false);
    const messages = lines.flatMap((line) => line.messages);
    assert.ok(messages.includes('the coupon tia10 earns 12.5% and 2 USD per order'), `${messages}`);
    const coupons = await send('GET', `${STORE}/coupons?per_page=100&status=active`);
    const rates = (code: string) => {
      const { commission } = coupons.find((one: any) => one.code === code);
      const { percent_override, fixed_per_order } = commission;
      return [percent_override, fixed_per_order];
    };
    assert.deepEqual(
      [rates('tia10'), rates('tia20')],
      [
        [12.5, 2],
        [null, null],
      ],
    );
    await undoImport(app.site, id!);
  });

  test('what cannot be a rule is refused with the reason, the rest is made', async () => {
    const firstPromoter = await importing('firstpromoter', true);
    assert.deepEqual(refused(firstPromoter), [
      'campaigns.json:3 a reward applies on "yearly" only',
      'rewards.json:3 rewards of the type tier cannot be a rule',
    ]);
    const rewardful = await importing('rewardful', true);
    assert.deepEqual(refused(rewardful), [
      'campaigns.json:3 applies to no affiliate of these files',
    ]);
    const [people] = filesOf('affiliatewp');
    const { rates, rules } = await importing('affiliatewp', true, [people!]);
    assert.deepEqual([rules.length, rates!.isOwnUnknown], [0, true], 'the standard is not known');
  });
});
