import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createGroup } from './create-group.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'write');
const list = (search = '', key = admin) => app.call(`/svc/store/v1/groups${search}`, { key });

describe('GET /svc/store/v1/groups', () => {
  describe('200', () => {
    test('the list is empty at first', async () => {
      const { status, body, headers } = await list();
      assert.equal(status, 200);
      assert.deepEqual(body, []);
      assert.equal(headers.get('x-svc-total'), '0');
    });

    test('groups are listed by id, in pages with totals', async () => {
      for (const name of ['Gold', 'Silver', 'Bronze'])
        await invoke(app.site, createGroup, { name });
      const first = await list('?per_page=2');
      assert.deepEqual(
        first.body.map((group: any) => group.name),
        ['Gold', 'Silver'],
      );
      assert.equal(first.headers.get('x-svc-total'), '3');
      assert.equal(first.headers.get('x-svc-totalpages'), '2');
      const second = await list('?per_page=2&page=2');
      assert.deepEqual(
        second.body.map((group: any) => group.name),
        ['Bronze'],
      );
      assert.deepEqual((await list('?page=9')).body, []);
    });

    test('each with the number of its affiliates', async () => {
      for (const login of ['maya', 'tomas']) {
        const json = { groups: login === 'maya' ? ['Gold', 'Silver'] : ['Gold'] };
        const path = `/svc/store/v1/affiliates/${idOf(login)}`;
        const { status } = await app.call(path, { method: 'PATCH', key: admin, json });
        assert.equal(status, 200);
      }
      assert.deepEqual(
        (await list()).body.map(({ name, members }: any) => [name, members]),
        [
          ['Gold', 2],
          ['Silver', 1],
          ['Bronze', 0],
        ],
      );
    });
  });

  describe('403', () => {
    test('a key without the write scope is refused', async () => {
      const key = await app.key('admin', 'read');
      assert.equal(refusal(await list('', key)), '403 svc_api_insufficient_scope');
    });

    test('an affiliate is refused', async () => {
      const key = await app.key('maya', 'write');
      assert.equal(refusal(await list('', key)), '403 svc_api_forbidden');
    });
  });
});
