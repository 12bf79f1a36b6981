import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';

const app = await openTestApp();
const PATH = '/svc/store/v1/team';
const admin = await app.key('admin', 'read,manage');
const post = (path: string, json?: object, key = admin) =>
  app.call(path, { method: 'POST', key, ...(json && { json }) });
const marcus = { login: 'marcus', email: 'marcus@test.example', role: 'manager' };

test('POST /team creates a user without a password and mails a link; again with POST …/invitation', async () => {
  const { status, body } = await post(PATH, { ...marcus, display_name: 'Marcus Lind' });
  assert.equal(status, 201);
  assert.partialDeepStrictEqual(body, { role: 'manager', has_password: false, disabled: false });
  const again = await post(`${PATH}/${body.id}/invitation`);
  assert.equal(again.status, 200, again.text);
  const mails = await outbox(app.site);
  assert.deepEqual(
    mails.map(({ to_address }) => to_address),
    ['marcus@test.example', 'marcus@test.example'],
  );
  assert.ok(!JSON.stringify(mails).includes('token='), 'the link is not in the outbox');
  const { body: events } = await app.call('/events?event=account.invited', { key: admin });
  assert.deepEqual(
    events.map(({ object_id, user_id }: any) => [object_id, user_id]),
    [
      [body.id, idOf('admin')],
      [body.id, idOf('admin')],
    ],
  );
});

test('POST /team is refused for a login in use, another role, and by a manager', async () => {
  assert.equal(refusal(await post(PATH, { ...marcus, login: 'maya' })), '409 svc_api_user_exists');
  const affiliate = { ...marcus, login: 'x', role: 'affiliate' };
  assert.equal(refusal(await post(PATH, affiliate)), '400 rest_invalid_param');
  const manager = await app.key('manager', 'manage');
  assert.equal(refusal(await post(PATH, marcus, manager)), '403 svc_api_forbidden');
});

test('POST /team/{id}/invitation is refused for a user with a password', async () => {
  const reply = await post(`${PATH}/${idOf('manager')}/invitation`);
  assert.equal(refusal(reply), '409 svc_api_not_invitable');
});
