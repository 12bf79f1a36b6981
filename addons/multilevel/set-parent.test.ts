import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { invoke } from '../../src/kernel/call/invoke.ts';
import { createAffiliate } from '../../src/modules/affiliates/index.ts';
import { feedHead } from '../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const STORE = '/svc/store/v1';

const put = (id: number, parent_id: unknown, key = admin) =>
  app.call(`${STORE}/affiliates/${id}/parent`, { method: 'PUT', key, json: { parent_id } });

const make = async (login: string, parent_id?: number) =>
  (
    await invoke<{ id: number }>(app.site, createAffiliate, {
      login,
      email: `${login}@line.example`,
      parent_id,
    })
  ).id;

const events = async () =>
  (await app.call('/events?event=mla&per_page=100', { key: admin })).body as any[];

describe('PUT /affiliates/{id}/parent', () => {
  describe('200', () => {
    test('the upline is in the record, lowest tier first, within the tiers', async () => {
      const line = [await make('top')];
      for (const login of ['second', 'third', 'fourth']) line.push(await make(login));
      for (let i = 1; i < line.length; i++) {
        const { status } = await put(line[i]!, line[i - 1]!);
        assert.equal(status, 200);
      }
      const lowest = await make('fifth', line[3]);
      const { body } = await app.call(`/affiliates/${lowest}`, { key: admin });
      assert.deepEqual(
        Object.entries<any>(body.mla_parents).map(([tier, user]) => [tier, user.login]),
        [
          ['T1', 'fourth'],
          ['T2', 'third'],
          ['T3', 'second'],
        ],
      );
    });

    test('the affiliate itself sees names only', async () => {
      await put(idOf('maya'), idOf('tomas'));
      const { body } = await app.call(`/affiliates/${idOf('maya')}`, {
        key: await app.key('maya', 'read'),
      });
      assert.deepEqual(body.mla_parents, { T1: { id: idOf('tomas'), display_name: 'tomas' } });
      await put(idOf('maya'), null);
    });

    test('null removes the parent; each change emits one event', async () => {
      const before = (await events()).length;
      await put(idOf('maya'), idOf('tomas'));
      await put(idOf('maya'), idOf('tomas'));
      const { body } = await put(idOf('maya'), null);
      assert.deepEqual(body.mla_parents, {});
      const told = (await events()).slice(0, -before || undefined);
      assert.deepEqual(
        told.map(({ event, data }) => [event, data]),
        [
          ['mla.parent_changed', { user_id: idOf('maya'), parent_id: null }],
          ['mla.parent_changed', { user_id: idOf('maya'), parent_id: idOf('tomas') }],
        ],
      );
    });
  });

  describe('400', () => {
    test('a parent that does not exist, or is not an affiliate', async () => {
      for (const parent of [987_654, idOf('carla')]) {
        const reply = await put(idOf('maya'), parent);
        assert.equal(refusal(reply), '400 svc_api_invalid_user');
        assert.ok(reply.body.data.params.parent_id);
      }
      assert.equal(refusal(await put(idOf('maya'), 'tomas')), '400 rest_invalid_param');
    });

    test('an affiliate with a missing parent is not created', async () => {
      const head = await feedHead(app.site);
      const reply = await app.call(`${STORE}/affiliates`, {
        method: 'POST',
        key: admin,
        json: { login: 'orphan', email: 'orphan@line.example', parent_id: 987_654 },
      });
      assert.equal(refusal(reply), '400 svc_api_invalid_user');
      assert.equal(await feedHead(app.site), head);
      const found = await app.call('/affiliates?search=orphan', { key: admin });
      assert.deepEqual(found.body, []);
    });
  });

  test('403: a manager cannot set the parent of an administrator who has a coupon', async () => {
    const code = { code: 'BOSS', user_id: idOf('admin') };
    await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json: code });
    const reply = await put(idOf('admin'), idOf('maya'), await app.key('manager', 'write'));
    assert.equal(refusal(reply), '403 svc_api_forbidden');
  });

  test('404: no such affiliate', async () => {
    assert.equal(refusal(await put(987_654, idOf('maya'))), '404 svc_api_not_found');
    assert.equal(refusal(await put(idOf('carla'), idOf('maya'))), '404 svc_api_not_found');
  });

  describe('409', () => {
    test('an affiliate is never in its own upline, however long the chain', async () => {
      const line = [await make('a1')];
      for (let i = 2; i <= 6; i++) line.push(await make(`a${i}`, line.at(-1)));
      const head = await feedHead(app.site);
      assert.equal(refusal(await put(line[0]!, line[0]!)), '409 svc_api_mla_loop');
      assert.equal(refusal(await put(line[0]!, line[5]!)), '409 svc_api_mla_loop');
      assert.equal(await feedHead(app.site), head);
    });

    test('two concurrent changes never close a loop', async () => {
      const [x, y] = [await make('x1'), await make('y1')];
      const replies = await Promise.all([put(x, y), put(y, x), put(x, y), put(y, x)]);
      const statuses = replies.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, 200, 409, 409]);
    });
  });
});
