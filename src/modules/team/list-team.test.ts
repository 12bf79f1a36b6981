import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const PATH = '/svc/store/v1/team';

test('GET /team lists administrators and managers, with their last use', async () => {
  const key = await app.key('admin', 'manage');
  const before = await app.call(PATH, { key });
  assert.equal(before.headers.get('x-svc-total'), '2');
  assert.deepEqual(
    before.body.map((member: any) => [member.login, member.role, member.last_seen]),
    [
      ['admin', 'administrator', null],
      ['manager', 'manager', null],
    ],
  );
  await app.signIn('manager');
  const { body } = await app.call(`${PATH}?per_page=1&page=2`, { key });
  assert.partialDeepStrictEqual(body, [
    {
      id: idOf('manager'),
      login: 'manager',
      email: 'manager@test.example',
      display_name: 'manager',
      disabled: false,
      has_password: true,
      last_seen: app.site.calendar.toLocal(app.site.clock()),
    },
  ]);
});

test('GET /team is for administrators', async () => {
  const key = await app.key('manager', 'manage');
  assert.equal(refusal(await app.call(PATH, { key })), '403 svc_api_forbidden');
});
