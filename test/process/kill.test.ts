import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { KeyMaker } from './key-maker.ts';
import { checkDatabase, untilNobodyIsConnected } from './look-inside.ts';
import { install } from './run.ts';
import { startServer } from './running-server.ts';

const ROUNDS = 3;
const CLIENTS = 16;
const LIFE_MAX_MS = 400;

describe('kill -9 at a random moment', () => {
  let data: string;
  let admin: string;
  before(async () => {
    ({ data, key: admin } = await install({ 'api.rate_per_minute': 1_000_000 }));
  });

  test('loses nothing that was acknowledged and leaves nothing half done', async () => {
    const acknowledged = new Map<number, string>();
    let cutOff = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const server = await startServer(data);
      const makers = Array.from({ length: CLIENTS }, () => new KeyMaker(server, admin));
      // The connections of the clients must break.
      const ends = makers.map((maker) => maker.ended.catch(() => {}));
      const made = () => makers.reduce((sum, maker) => sum + maker.made.length, 0);
      await eventually(() => assert.ok(made() > CLIENTS));
      const lifeMs = Math.random() * LIFE_MAX_MS;
      await setTimeout(lifeMs);
      server.child.kill('SIGKILL');
      await Promise.all(ends);
      assert.equal((await server.stop('SIGKILL')).signal, 'SIGKILL');

      for (const maker of makers) {
        if (maker.inFlight) cutOff += 1;
        for (const { id, token } of maker.made) acknowledged.set(id, token);
      }
      await untilNobodyIsConnected(data);
      const { keys } = await checkDatabase(data);
      const lost = [...acknowledged.keys()].filter((id) => !keys.has(id));
      assert.deepEqual(lost, [], `round ${round}, killed after ${lifeMs} ms`);
      // Some requests without a response were committed; there must be no other keys.
      assert.ok(keys.size - 1 - acknowledged.size <= cutOff, `round ${round}: keys from nowhere`);
    }
    assert.ok(acknowledged.size > ROUNDS * CLIENTS, `only ${acknowledged.size} acknowledged`);
    assert.ok(cutOff > ROUNDS, `only ${cutOff} requests were under way`);

    const server = await startServer(data);
    assert.doesNotMatch(server.output.stderr, /"level":"(warn|error|fatal)"/);
    const [, newest] = [...acknowledged].at(-1)!;
    assert.equal((await server.call('/me', { key: newest })).status, 200);
    const { body } = await server.call('/events?after=0&per_page=1', { key: admin });
    assert.equal(body[0].id, 1);
    assert.equal((await server.stop()).code, 0);
    assert.ok((await checkDatabase(data)).keys.size > acknowledged.size);
  });
});
