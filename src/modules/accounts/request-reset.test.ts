import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { query } from '../../db/statements/query.ts';
import { mailLinks } from './link-requests.ts';

const app = await openTestApp();
const MINUTE = 60_000;
let address = 0;

const ask = (email: string, from = `192.0.2.${(address += 1)}`) =>
  app.call('/svc/store/v1/account/password-resets', {
    method: 'POST',
    json: { email },
    headers: { 'x-forwarded-for': from },
  });
const mailed = async () => {
  await mailLinks.run(app.site);
  return (await outbox(app.site)).filter(({ template }) => template === 'password-reset');
};

describe('POST /account/password-resets', () => {
  test('the answer is the same for every address, and nothing is looked up before it', async () => {
    const known = await ask('Maya@Test.Example');
    const unknown = await ask('nobody@test.example');
    assert.equal(known.status, 202);
    assert.equal(known.text, unknown.text);
    assert.deepEqual([...known.headers.keys()], [...unknown.headers.keys()]);
    assert.deepEqual(await outbox(app.site), []);
    assert.deepEqual(
      (await mailed()).map(({ to_address }) => to_address),
      ['maya@test.example'],
    );
  });

  test('the stored mail does not contain the link', async () => {
    const [mail] = await mailed();
    assert.doesNotMatch(JSON.stringify(mail), /token=/);
  });

  test('one network: one mail in five minutes, three in a day, then one in an hour', async () => {
    const count = async () =>
      (await mailed()).filter(({ to_address }) => to_address === 'carla@test.example').length;
    for (let i = 0; i < 11; i++) {
      await ask('carla@test.example', '203.0.113.9');
      await mailed();
      app.advance(5 * MINUTE);
    }
    assert.equal(await count(), 3);
    await ask('carla@test.example');
    assert.equal(await count(), 4, 'another network is not delayed');
  });

  test('others who ask six times leave a person a working link and one mail an hour', async () => {
    const links = async () =>
      (await outbox(app.site)).filter(({ to_address }) => to_address === 'admin@test.example');
    for (let i = 0; i < 12; i++) {
      await ask('admin@test.example');
      await mailed();
      app.advance(5 * MINUTE);
    }
    assert.equal((await links()).length, 6);
    const working = query<{ now: number }, { n: number }>((db, p) =>
      db
        .selectFrom('account_links')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('user_id', '=', idOf('admin'))
        .where('ended_at', 'is', null)
        .where('expires_at', '>', p.now),
    );
    const { n } = (await app.site.database.read.first(working, { now: app.site.clock() }))!;
    assert.equal(n, 5, 'the first is an hour old; the others still work');
    for (let hour = 1; hour <= 3; hour++) {
      app.advance(60 * MINUTE);
      await ask('admin@test.example');
      await mailed();
      assert.equal((await links()).length, 6 + hour);
    }
  });

  test('one mail in five minutes and six in a day, then one in an hour', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ask('tomas@test.example')));
    const count = async () =>
      (await mailed()).filter(({ to_address }) => to_address === 'tomas@test.example').length;
    assert.equal(await count(), 1);
    app.advance(4 * MINUTE);
    await ask('tomas@test.example');
    assert.equal(await count(), 1);
    for (let i = 0; i < 10; i++) {
      app.advance(5 * MINUTE);
      await ask('tomas@test.example');
      await mailed();
    }
    assert.equal(await count(), 6);
    app.advance(24 * 60 * MINUTE);
    await ask('tomas@test.example');
    assert.equal(await count(), 7);
  });

  test('429: more than ten requests of a network in a minute', async () => {
    for (let i = 0; i < 10; i++) {
      assert.equal((await ask(`x${i}@test.example`, '198.51.100.1')).status, 202);
    }
    const reply = await ask('maya@test.example', '198.51.100.1');
    assert.equal(refusal(reply), '429 svc_api_rate_limited');
  });
});
