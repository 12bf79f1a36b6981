import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp, PASSWORD, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();

const disable = (value: string) =>
  app.site.database.transaction(async (tx) => {
    await tx.execute(`update users set disabled_at = ${value} where login = 'manager'`);
    tx.afterCommitEverywhere(() => app.site.invalidateCaches());
  });

test('a disabled user is refused with every credential, and accepted again once enabled', async () => {
  const [key, basic, session] = [
    await app.key('manager', ['read']),
    await app.basic('manager'),
    await app.signIn('manager'),
  ];
  const attempts = [{ key }, { basic }, { session }];
  for (const by of attempts) assert.equal((await app.call('/me', by)).status, 200);

  await disable('1');
  const codes = [];
  for (const by of attempts) codes.push(refusal(await app.call('/me', by)));
  assert.deepEqual(codes, [
    '401 svc_api_invalid_key',
    '401 svc_api_unauthorized',
    '401 svc_api_unauthorized',
  ]);
  const signIn = (login: string, password: string) =>
    app.call('~/session', { method: 'POST', json: { login, password } });
  const right = await signIn('manager', PASSWORD);
  const wrong = await signIn('manager', 'wrong horse battery');
  assert.equal(right.status, 401);
  assert.deepEqual(right.body, wrong.body);

  await disable('null');
  for (const by of attempts) assert.equal((await app.call('/me', by)).status, 200);
});
