import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'write');
const create = (json: unknown) =>
  app.call('/svc/store/v1/groups', { method: 'POST', key: admin, json });

describe('POST /svc/store/v1/groups', () => {
  describe('201', () => {
    test('rates may be given as text; the response is the record', async () => {
      const { status, body } = await create({
        name: 'Gold partners',
        percent_override: 12.5,
        fixed_per_order: '1.50',
      });
      assert.equal(status, 201);
      const { id, date_created, ...rest } = body;
      assert.ok(id > 0);
      assert.match(date_created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      assert.deepEqual(rest, {
        name: 'Gold partners',
        percent_override: 12.5,
        fixed_per_order: 1.5,
        fixed_per_product: null,
        discount: null,
      });
    });

    test('a rate of zero is a rate', async () => {
      const { body } = await create({ name: 'Nothing', percent_override: 0, fixed_per_product: 0 });
      assert.equal(body.percent_override, 0);
      assert.equal(body.fixed_per_product, 0);
      assert.equal(body.fixed_per_order, null);
    });
  });

  describe('400', () => {
    test('the name is required', async () => {
      assert.equal(refusal(await create({})), '400 rest_missing_callback_param');
    });

    for (const [why, json] of [
      ['an empty name', { name: '' }],
      ['a name with a space at its end', { name: 'Gold ' }],
      ['a name with a line break', { name: 'Gold\nSilver' }],
      ['a name that is too long', { name: 'x'.repeat(101) }],
      ['a percentage over 100', { name: 'A', percent_override: 100.1 }],
      ['a negative amount', { name: 'A', fixed_per_order: -1 }],
      ['a fraction of a cent', { name: 'A', fixed_per_product: 0.001 }],
    ] as const) {
      test(why, async () => {
        assert.equal(refusal(await create(json)), '400 rest_invalid_param');
      });
    }
  });

  describe('409', () => {
    test('a name in use is refused, ignoring case', async () => {
      assert.equal((await create({ name: 'Öl' })).status, 201);
      for (const name of ['Öl', 'öl', 'ÖL']) {
        assert.equal(refusal(await create({ name })), '409 svc_api_group_exists');
      }
    });

    test('ten concurrent requests create one group', async () => {
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => create({ name: 'Contested' })),
      );
      const statuses = replies.map((reply) => reply.status).sort();
      assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)]);
    });
  });
});
