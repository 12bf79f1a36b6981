import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  idOf,
  openTestApp,
  PASSWORD,
  refusal,
  type TestSession,
} from '../../../../test/support/harness.ts';
import { SoftwareAuthenticator } from '../../../../test/support/software-authenticator.ts';

const ORIGIN = 'https://partners.test.example';
const app = await openTestApp({ config: { publicUrl: ORIGIN } });
const STORE = '/svc/store/v1';
const PASSKEYS = `${STORE}/account/passkeys`;
let address = 0;

const signIn = (json: object) =>
  app.call('~/session', {
    method: 'POST',
    json,
    headers: { 'x-forwarded-for': `198.51.100.${(address += 1)}` },
  });
const post = (path: string, session: TestSession, json?: object) =>
  app.call(path, { method: 'POST', session, ...(json && { json }) });

const ceremony = (challenge: string, origin = ORIGIN) => ({
  challenge,
  origin,
  rpId: new URL(origin).hostname,
});
const newOptions = async (session: TestSession) =>
  (await post(`${PASSKEYS}/options`, session)).body;
const challenge = async (): Promise<string> =>
  (await app.call('~/session/passkey-options', { method: 'POST' })).body.challenge;
const assertion = async (authenticator: SoftwareAuthenticator) =>
  authenticator.get(ceremony(await challenge()));

/** Registers a passkey; returns it with the reply. */
async function register(session: TestSession, authenticator = new SoftwareAuthenticator()) {
  const options = await newOptions(session);
  authenticator.userHandle = options.user.id;
  const response = authenticator.create(ceremony(options.challenge));
  const reply = await post(PASSKEYS, session, { name: 'Phone', response });
  return { authenticator, reply };
}

async function remove(session: TestSession): Promise<void> {
  const { body } = await app.call(PASSKEYS, { session });
  for (const { id } of body) {
    await app.call(`${PASSKEYS}/${id}`, { method: 'DELETE', session });
  }
}

describe('a passkey', () => {
  test('is added, listed, signs in without a password, is the second step after one, and is removed', async () => {
    const session = await app.signIn('maya');
    const options = await newOptions(session);
    assert.partialDeepStrictEqual(options, {
      rp: { id: 'partners.test.example' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const { authenticator, reply } = await register(session);
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.body.recovery_codes.length, 10);
    assert.equal(reply.body.passkey.name, 'Phone');
    assert.equal((await register(session)).reply.body.recovery_codes, null, 'not the first factor');

    const without = await signIn({ passkey: await assertion(authenticator) });
    assert.equal(without.status, 201, without.text);
    assert.equal(without.body.user.id, idOf('maya'));
    const first = await signIn({ login: 'maya', password: PASSWORD });
    assert.deepEqual(first.body.data.methods, ['passkey', 'recovery']);
    const { sign_in_token } = first.body.data;
    const passkey = await assertion(authenticator);
    assert.equal((await signIn({ sign_in_token, passkey })).status, 201);

    const listed = await app.call(PASSKEYS, { session });
    assert.equal(listed.body.length, 2);
    assert.notEqual(listed.body[0].last_used, null);
    await remove(session);
    assert.equal((await signIn({ passkey: await assertion(authenticator) })).status, 401);
    assert.equal((await signIn({ login: 'maya', password: PASSWORD })).status, 201);
  });

  test('is renamed by its own user, also long after the last proof', async () => {
    const session = await app.signIn('maya');
    const { id } = (await register(session)).reply.body.passkey;
    const rename = (as: TestSession, name: string) =>
      app.call(`${PASSKEYS}/${id}`, { method: 'PATCH', session: as, json: { name } });
    const renamed = await rename(session, 'Old phone');
    assert.deepEqual([renamed.status, renamed.body.name], [200, 'Old phone']);
    assert.equal((await app.call(PASSKEYS, { session })).body.at(-1).name, 'Old phone');
    assert.equal(refusal(await rename(session, ' ')), '400 rest_invalid_param');
    const other = await app.signIn('tomas');
    assert.equal(refusal(await rename(other, 'Mine')), '404 svc_api_not_found');
    await remove(session);
  });

  test('is a proof for its own user only', async () => {
    const [maya, tomas] = [await app.signIn('maya'), await app.signIn('tomas')];
    const { authenticator } = await register(maya);
    app.advance(10 * 60_000);
    const prove = async (session: TestSession) =>
      post('~/session/proof', session, { passkey: await assertion(authenticator) });
    assert.equal(refusal(await prove(tomas)), '401 svc_api_wrong_password');
    assert.equal((await prove(maya)).status, 200);
    await remove(maya);
  });

  test('of one user cannot be removed, or added again, by another', async () => {
    const [maya, tomas] = [await app.signIn('maya'), await app.signIn('tomas')];
    const { authenticator, reply } = await register(maya);
    const path = `${PASSKEYS}/${reply.body.passkey.id}`;
    const removed = await app.call(path, { method: 'DELETE', session: tomas });
    assert.equal(refusal(removed), '404 svc_api_not_found');
    const again = await register(tomas, authenticator);
    assert.equal(refusal(again.reply), '400 svc_api_passkey_refused');
    await remove(maya);
  });

  test('of a disabled user does not sign in', async () => {
    const session = await app.signIn('manager');
    const { authenticator } = await register(session);
    const execute = (sql: string) => app.site.database.transaction((tx) => tx.execute(sql));
    await execute("update users set disabled_at = 1 where login = 'manager'");
    assert.equal((await signIn({ passkey: await assertion(authenticator) })).status, 401);
    await execute("update users set disabled_at = null where login = 'manager'");
    await remove(session);
  });
});

describe('a registration is refused', () => {
  test('from another origin, with a foreign or replayed challenge, without verification of the user', async () => {
    const [maya, tomas] = [await app.signIn('maya'), await app.signIn('tomas')];
    const attempt = async (response: object, session = maya) =>
      refusal(await post(PASSKEYS, session, { name: 'Phone', response }));
    const REFUSED = '400 svc_api_passkey_refused';

    const elsewhere = ceremony((await newOptions(maya)).challenge, 'https://evil.test.example');
    assert.equal(await attempt(new SoftwareAuthenticator().create(elsewhere)), REFUSED);
    const lied = { ...elsewhere, rpId: 'partners.test.example' };
    assert.equal(await attempt(new SoftwareAuthenticator().create(lied)), REFUSED);

    const ofMaya = ceremony((await newOptions(maya)).challenge);
    assert.equal(await attempt(new SoftwareAuthenticator().create(ofMaya), tomas), REFUSED);
    const forSignIn = ceremony(await challenge());
    assert.equal(await attempt(new SoftwareAuthenticator().create(forSignIn)), REFUSED);
    const invented = ceremony(Buffer.from('invented').toString('base64url'));
    assert.equal(await attempt(new SoftwareAuthenticator().create(invented)), REFUSED);

    const unverified = new SoftwareAuthenticator();
    unverified.isUserVerified = false;
    assert.equal(
      await attempt(unverified.create(ceremony((await newOptions(maya)).challenge))),
      REFUSED,
    );

    const late = ceremony((await newOptions(maya)).challenge);
    app.advance(5 * 60_000);
    assert.equal(await attempt(new SoftwareAuthenticator().create(late)), REFUSED);

    const once = ceremony((await newOptions(maya)).challenge);
    const replies = await Promise.all(
      [1, 2, 3].map(() => attempt(new SoftwareAuthenticator().create(once))),
    );
    assert.equal(replies.filter((reply) => reply === REFUSED).length, 2, replies.join());
    await remove(maya);
  });
});

describe('a sign-in is refused', () => {
  test('from another origin, with a replayed response, by an unknown key, without verification', async () => {
    const session = await app.signIn('maya');
    const { authenticator } = await register(session);
    const attempt = async (passkey: object) => (await signIn({ passkey })).status;

    const evil = 'https://evil.test.example';
    assert.equal(await attempt(authenticator.get(ceremony(await challenge(), evil))), 401);
    const lied = { ...ceremony(await challenge(), evil), rpId: 'partners.test.example' };
    assert.equal(await attempt(authenticator.get(lied)), 401);

    const response = await assertion(authenticator);
    const statuses = await Promise.all([1, 2, 3].map(() => attempt(response)));
    assert.deepEqual(statuses.toSorted(), [201, 401, 401]);

    const foreign = new SoftwareAuthenticator();
    assert.equal(await attempt(await assertion(foreign)), 401);
    const forged = {
      ...(await assertion(foreign)),
      id: authenticator.credentialId.toString('base64url'),
    };
    assert.equal(await attempt(forged), 401);
    authenticator.isUserVerified = false;
    assert.equal(await attempt(await assertion(authenticator)), 401);
    authenticator.isUserVerified = true;
    authenticator.userHandle = Buffer.from('user 1').toString('base64url');
    assert.equal(await attempt(await assertion(authenticator)), 401, 'the handle of another user');
    for (const broken of [{}, { id: 'x' }, { id: 'x', type: 'public-key', response: {} }]) {
      assert.equal(await attempt(broken), 401);
    }
    await remove(session);
  });

  test('with a counter that went back, as of a copied authenticator', async () => {
    const session = await app.signIn('maya');
    const authenticator = new SoftwareAuthenticator();
    authenticator.counter = 7;
    await register(session, authenticator);
    const attempt = async (counter: number) => {
      authenticator.counter = counter;
      return (await signIn({ passkey: await assertion(authenticator) })).status;
    };
    assert.deepEqual(
      [await attempt(8), await attempt(8), await attempt(6), await attempt(0), await attempt(9)],
      [201, 401, 401, 401, 201],
    );
    await remove(session);
  });
});

test('at an IP address there are no passkeys', async () => {
  const other = await openTestApp({ config: { publicUrl: 'https://192.0.2.1' } });
  const reply = await other.call('~/session/passkey-options', { method: 'POST' });
  assert.equal(refusal(reply), '409 svc_api_passkeys_unavailable');
});
