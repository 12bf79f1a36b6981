import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const RULES = `${STORE}/rewards/rules`;
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const post = (path: string, json: object) => app.call(path, { method: 'POST', key: admin, json });
const create = (json: object) => post(RULES, json);
const names = async () =>
  (await app.call(RULES, { key: admin })).body.rules.map((rule: any) => rule.name);

const { body: gold } = await post(`${STORE}/groups`, { name: 'Gold' });
const { body: coupon } = await post(`${STORE}/coupons`, { code: 'MAYA10', user_id: idOf('maya') });
const steps = (...froms: number[]) => ({
  by: 'sales',
  counts: 'granted',
  window: { kind: 'month' },
  steps: froms.map((from, i) => ({ from, percent: 10 + i })),
});

describe('POST /rewards/rules', () => {
  describe('201', () => {
    test('a rule with every part, groups by name in any case', async () => {
      const given = {
        name: 'Candles for Gold',
        active: true,
        what: { categories: ['candles'] },
        order: {
          customer: 'first',
          payment: 'renewal',
          payments: { from: 2, to: 12 },
          min_total: 50,
          countries: ['DE'],
          via: ['coupon', 'link', 'lifetime'],
        },
        from: '2026-11-01',
        to: '2026-11-30',
        rate: { percent: 15, fixed_per_order: null, fixed_per_product: 0.5 },
        limit: { amount: 100, per: 'customer', window: { kind: 'days', days: 30 } },
        running: true,
      };
      const { status, body, text } = await create({ ...given, who: { groups: ['GOLD', gold.id] } });
      assert.equal(status, 201, text);
      const { id, version, sentence, ...rest } = body;
      assert.ok(id > 0 && version > 0);
      assert.match(sentence, /Gold/);
      assert.deepEqual(rest, {
        ...given,
        who: { groups: ['Gold'] },
        position: 1,
        missing: [],
        hidden_by: null,
      });
    });

    test('a rate is enough', async () => {
      const { body } = await create({ rate: { excluded: true } });
      const { who, what, order, from, to, limit, active, running, rate } = body;
      assert.deepEqual([who, what, order, from, to, limit], [{}, {}, {}, null, null, null]);
      assert.deepEqual([active, running, rate], [true, false, { excluded: true }]);
    });

    test('a rule that is always hidden names the rule that hides it', async () => {
      const hiding = await create({ rate: { excluded: true } });
      const { body } = await create({ rate: { percent: 1 } });
      assert.ok(body.hidden_by > 0 && body.hidden_by <= hiding.body.id);
    });

    test('at the end, or at a position', async () => {
      await create({ name: 'last', rate: { percent: 1 } });
      await create({ name: 'second', rate: { steps: steps(0, 1000.5) }, position: 2 });
      const far = await create({ name: 'very last', rate: { percent: 2 }, position: 500 });
      const all = await names();
      assert.deepEqual([all[1], all.at(-2), all.at(-1)], ['second', 'last', 'very last']);
      assert.equal(far.body.position, all.length);
    });
  });

  describe('400, with the path of each error', () => {
    const rate = { percent: 1 };
    for (const [path, json] of [
      ['who.affiliates', { who: { groups: ['Gold'], affiliates: [1] }, rate }],
      ['what.tags', { what: { products: ['1'], tags: ['2'] }, rate }],
      ['who.groups[1]', { who: { groups: ['Gold', 'Silver'] }, rate }],
      ['who.groups[0]', { who: { groups: [4711] }, rate }],
      ['who.affiliates[1]', { who: { affiliates: [idOf('maya'), 4711] }, rate }],
      ['who.coupons[1]', { who: { coupons: [coupon.id, 4711] }, rate }],
      ['order.stores[0]', { order: { stores: [4711] }, rate }],
      ['order.payments', { order: { payments: { from: 2 } }, rate }],
      ['order.payments.to', { order: { payment: 'renewal', payments: { from: 3, to: 2 } }, rate }],
      ['order.min_total', { order: { min_total: 0.001 }, rate }],
      ['to', { from: '2026-11-02', to: '2026-11-01', rate }],
      ['rate', { rate: {} }],
      ['rate', { rate: { percent: null } }],
      ['rate', { rate: { percent: 1, excluded: true } }],
      ['rate', { rate: { excluded: true, steps: steps(0) } }],
      ['rate', { rate: { percent: 101 } }],
      ['rate.steps.steps', { rate: { steps: steps(...Array.from({ length: 21 }, (_, i) => i)) } }],
      ['rate.fixed_per_order', { rate: { fixed_per_order: 1.001 } }],
      ['rate.steps.steps[0].from', { rate: { steps: steps(1, 2) } }],
      ['rate.steps.steps[2].from', { rate: { steps: steps(0, 2, 2) } }],
      ['rate.steps.steps[1].from', { rate: { steps: steps(0, 0.001) } }],
      ['rate.steps.steps[1].from', { rate: { steps: { ...steps(0, 0.5), by: 'orders' } } }],
      ['rate.steps.window.days', { rate: { steps: { ...steps(0), window: { kind: 'days' } } } }],
      [
        'rate.steps.window.days',
        { rate: { steps: { ...steps(0), window: { kind: 'year', days: 3 } } } },
      ],
      ['limit', { limit: {}, rate }],
      ['limit', { limit: { payments: 1, months: 1 }, rate }],
      ['limit.per', { limit: { amount: 1, window: { kind: 'month' } }, rate }],
      ['limit.window', { limit: { amount: 1, per: 'customer' }, rate }],
      ['limit.window', { limit: { months: 1, window: { kind: 'month' } }, rate }],
      ['who.group', { who: { group: ['Gold'] }, rate }],
      ['rate.steps.step', { rate: { steps: { ...steps(0), step: 1 } } }],
      ['priority', { priority: 1, rate }],
      ['who', { who: { groups: [] }, rate }],
    ] as const) {
      test(`${path}: ${JSON.stringify(json).slice(0, 80)}`, async () => {
        const reply = await create(json);
        assert.equal(refusal(reply), '400 rest_invalid_param');
        assert.deepEqual(Object.keys(reply.body.data.params), [path]);
      });
    }

    test('the reason says what is wrong', async () => {
      const { body } = await create({ rate: { steps: steps(0, 5, 3) } });
      assert.deepEqual(body.data.params, {
        'rate.steps.steps[2].from': 'must be greater than the one before',
      });
    });

    test('the rate is required', async () => {
      assert.equal(refusal(await create({ name: 'x' })), '400 rest_missing_callback_param');
    });
  });

  test('403: managers only read', async () => {
    const manager = await app.key('manager', 'read,write,manage');
    const reply = await app.call(RULES, {
      method: 'POST',
      key: manager,
      json: { rate: { percent: 1 } },
    });
    assert.equal(refusal(reply), '403 svc_api_forbidden');
    assert.equal((await app.call(RULES, { key: manager })).status, 200);
  });

  test('two administrators at the same moment lose nothing', async () => {
    const before = (await app.call(RULES, { key: admin })).body;
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        create({ name: `at once ${i}`, rate: { percent: i }, ...(i % 3 === 0 && { position: 1 }) }),
      ),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    const versions = replies.map(({ body }) => body.version).sort((a, b) => a - b);
    const first = before.version + 1;
    assert.deepEqual(
      versions,
      replies.map((_, i) => first + i),
    );
    const after = (await app.call(RULES, { key: admin })).body;
    assert.equal(after.version, before.version + 12);
    assert.equal(after.rules.length, before.rules.length + 12);
    assert.equal(
      new Set(
        after.rules
          .map(({ name }: any) => name)
          .filter((name: string) => name.startsWith('at once')),
      ).size,
      12,
    );
  });

  test('409: more than 500', async () => {
    const { site } = app;
    const { rules } = (await app.call(RULES, { key: admin })).body;
    await site.database.transaction(async (tx) => {
      for (let n = rules.length; n < 500; n += 1) {
        await tx.execute(
          `insert into reward_rules (position, content, version, created_at, updated_at)
            select ${1_000 + n}, content, version, created_at, updated_at from reward_rules limit 1`,
        );
      }
    });
    assert.equal(refusal(await create({ rate: { percent: 1 } })), '409 svc_api_too_many_rules');
  });
});
