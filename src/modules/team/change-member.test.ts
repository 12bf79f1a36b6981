import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import {
  idOf,
  openTestApp,
  PASSWORD,
  refusal,
  type TestSession,
} from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { openSecondProcess } from '../../../test/support/second-process.ts';
import { system } from '../../kernel/declare/caller.ts';
import { createUser, hashPassword } from '../users/index.ts';
import { applyMemberChange } from './member-change.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,manage');
const hash = await hashPassword(PASSWORD);
const second = await app.site.database.transaction((tx) =>
  createUser(tx, app.site, {
    login: 'second',
    email: 'second@test.example',
    role: 'administrator',
    passwordHash: hash,
  }),
);
const path = (id: number) => `/svc/store/v1/team/${id}`;
const change = (id: number, json: object, by: { key?: string; session?: TestSession }) =>
  app.call(path(id), { method: 'PATCH', json, ...by });
const reset = (id: number, role: 'administrator' | 'manager') =>
  app.site.database.transaction((tx) =>
    applyMemberChange(tx, app.site, system, id, { role, disabled: false }, app.site.clock()),
  );

beforeEach(async () => {
  await reset(second.id, 'administrator');
  await reset(idOf('admin'), 'administrator');
  await reset(idOf('manager'), 'manager');
});

describe('PATCH /team/{id}', () => {
  test('changes a role: sessions end, the event and the mail report it', async () => {
    const session = await app.signIn('manager');
    const { status, body } = await change(
      idOf('manager'),
      { role: 'administrator' },
      { key: admin },
    );
    assert.equal(status, 200);
    assert.equal(body.role, 'administrator');
    assert.equal(refusal(await app.call('/me', { session })), '401 svc_api_unauthorized');
    assert.equal((await app.call('/me', { session: await app.signIn('manager') })).status, 200);
    const { body: events } = await app.call('/events?event=team.updated', { key: admin });
    assert.partialDeepStrictEqual(events[0], {
      object_id: idOf('manager'),
      user_id: idOf('admin'),
      data: { role: 'administrator', disabled: false, changed: ['role'] },
    });
    const mail = (await outbox(app.site)).at(-1)!;
    assert.equal(mail.to_address, 'manager@test.example');
    assert.match(mail.text, /now an administrator/);
  });

  test('disables: every credential is refused on all instances, and a key works again once enabled', async () => {
    const key = await app.key('manager', 'read');
    const other = await openSecondProcess(app);
    const session = await app.signIn('manager');
    for (const by of [{ key }, { session }]) assert.equal((await app.call('/me', by)).status, 200);
    const done = await other.database.transaction((tx) =>
      applyMemberChange(tx, other, system, idOf('manager'), { disabled: true }, other.clock()),
    );
    assert.notEqual(done.disabled_at, null);
    for (const by of [{ key }, { session }]) await assertRefusedSoon(() => app.call('/me', by));
    const { body } = await change(idOf('manager'), { disabled: false }, { key: admin });
    assert.equal(body.disabled, false);
    assert.equal((await app.call('/me', { key })).status, 200);
    assert.equal((await app.call('/me', { session })).status, 401, 'the session has ended');
  });

  test('the same again changes nothing', async () => {
    const before = (await outbox(app.site)).length;
    assert.equal((await change(idOf('manager'), { role: 'manager' }, { key: admin })).status, 200);
    assert.equal((await change(idOf('manager'), {}, { key: admin })).status, 200);
    assert.equal((await outbox(app.site)).length, before);
  });

  test('a session needs a recent proof, a key does not', async () => {
    const session = await app.signIn('second');
    app.advance(10 * 60_000);
    const reply = await change(idOf('manager'), { disabled: true }, { session });
    assert.equal(refusal(reply), '403 svc_api_proof_required');
  });

  test('managers, affiliates and unknown users', async () => {
    const manager = await app.key('manager', 'manage');
    assert.equal(
      refusal(await change(idOf('manager'), { role: 'administrator' }, { key: manager })),
      '403 svc_api_forbidden',
    );
    for (const id of [idOf('maya'), 4_711]) {
      const reply = await change(id, { role: 'manager' }, { key: admin });
      assert.equal(refusal(reply), '404 svc_api_not_found');
    }
    assert.equal(
      refusal(await change(second.id, { role: 'affiliate' }, { key: admin })),
      '400 rest_invalid_param',
    );
  });
});

describe('the last administrator', () => {
  test('is neither demoted nor disabled', async () => {
    await change(second.id, { disabled: true }, { key: admin });
    for (const json of [{ role: 'manager' }, { disabled: true }]) {
      const reply = await change(idOf('admin'), json, { key: admin });
      assert.equal(refusal(reply), '409 svc_api_last_administrator');
    }
  });

  test('two who demote or disable each other at the same time: one stays', async () => {
    for (const json of [{ role: 'manager' }, { disabled: true }]) {
      for (let round = 0; round < 5; round++) {
        const sessions = [await app.signIn('admin'), await app.signIn('second')] as const;
        const replies = await Promise.all([
          change(second.id, json, { session: sessions[0] }),
          change(idOf('admin'), json, { session: sessions[1] }),
        ]);
        assert.equal(replies.filter(({ status }) => status === 200).length, 1);
        await reset(second.id, 'administrator');
        await reset(idOf('admin'), 'administrator');
      }
    }
  });
});

/** Another process on the same SQLite file is noticed within a quarter of a second. */
async function assertRefusedSoon(attempt: () => Promise<{ status: number }>): Promise<void> {
  await eventually(async () => assert.equal((await attempt()).status, 401));
}
