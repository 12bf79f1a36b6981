import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../test/support/harness.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createGroup } from './create-group.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'write');
const change = (id: number | string, json: unknown) =>
  app.call(`/svc/store/v1/groups/${id}`, { method: 'PATCH', key: admin, json });
const make = (values: Record<string, unknown>) =>
  invoke<{ id: number }>(app.site, createGroup, values);

describe('PATCH /svc/store/v1/groups/{id}', () => {
  describe('200', () => {
    test('given fields change, the others do not', async () => {
      const { id } = await make({ name: 'Gold', percent_override: 20, fixed_per_order: 1 });
      const { status, body } = await change(id, { percent_override: 25, fixed_per_order: '' });
      assert.equal(status, 200);
      const { date_created, ...rest } = body;
      assert.ok(date_created);
      assert.deepEqual(rest, {
        id,
        name: 'Gold',
        percent_override: 25,
        fixed_per_order: null,
        fixed_per_product: null,
        discount: null,
      });
    });

    test('a group can get its own name in another case', async () => {
      const { id } = await make({ name: 'silver' });
      assert.equal((await change(id, { name: 'Silver' })).body.name, 'Silver');
    });

    test('an empty body changes nothing', async () => {
      const { id } = await make({ name: 'Still', percent_override: 5 });
      assert.equal((await change(id, {})).body.percent_override, 5);
    });
  });

  describe('400', () => {
    test('every faulty parameter is named', async () => {
      const reply = await change(1, { name: '', percent_override: 101 });
      assert.deepEqual(Object.keys(reply.body.data.params), ['name', 'percent_override']);
    });
  });

  describe('404', () => {
    test('an unknown group is not found', async () => {
      assert.equal(refusal(await change(999, { name: 'New' })), '404 svc_api_not_found');
    });
  });

  describe('409', () => {
    test('the name of another group is refused', async () => {
      await make({ name: 'Taken' });
      const { id } = await make({ name: 'Other' });
      assert.equal(refusal(await change(id, { name: 'TAKEN' })), '409 svc_api_group_exists');
    });
  });
});
