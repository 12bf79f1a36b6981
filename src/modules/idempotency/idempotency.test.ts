import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Type from 'typebox';
import { openTestApp, refusal, type CallOptions } from '../../../test/support/harness.ts';
import { storedText } from '../../../test/support/stored-text.ts';
import { query } from '../../db/statements/query.ts';
import { freeEdition } from '../../edition-free.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { operation, type OperationDefinition } from '../../kernel/declare/operation.ts';
import { HOUR_MS } from '../../shared/durations.ts';
import { pruneResponses } from './response-rows.ts';
import { runOnceWith } from './run-once.ts';
import { storedResponses, type StoredResponses } from './stored-responses.ts';

let runs = 0;

/** Returns how often it has run. */
const counting = (path: string, more: Partial<OperationDefinition<'POST', any, undefined, any>>) =>
  operation({
    method: 'POST',
    namespace: 'store',
    path,
    summary: 'For tests',
    access: 'public',
    scope: null,
    response: Type.Unknown(),
    handle: () => ({ run: ++runs }),
    ...more,
  });

const tryOut = defineModule({
  name: 'try-out',
  summary: 'For tests',
  addon: false,
  operations: [
    counting('/plain', {}),
    counting('/things/{id}', {
      params: Type.Object({ id: Type.Integer() }),
      body: Type.Object({ a: Type.Optional(Type.Unknown()) }),
    }),
    counting('/headers', {
      otherStatus: 202,
      handle: () =>
        new HttpResponse(`run,${++runs}\n`, {
          status: 202,
          headers: { 'content-type': 'text/csv; charset=utf-8', link: ['<a>', '<b>'] },
        }),
    }),
    counting('/refused', {
      errors: [generalErrors.notFound],
      handle() {
        if (++runs % 2 === 1) throw new ApiError(generalErrors.notFound);
        return { run: runs };
      },
    }),
    counting('/refused-politely', {
      errors: [defineError('x', 409, 'For tests.')],
      handle: () =>
        new HttpResponse({ code: 'x', message: '', data: { status: ++runs } }, { status: 409 }),
    }),
    counting('/outside', {
      transaction: false,
      errors: [generalErrors.notFound],
      async handle() {
        await setTimeout(5);
        if (++runs % 2 === 1) throw new ApiError(generalErrors.notFound);
        return { run: runs };
      },
    }),
  ],
});

const app = await openTestApp({ modules: [...freeEdition, tryOut] });
const admin = await app.key('admin', 'read,write,manage');
const other = await app.key('admin', 'read,write,manage');
const store = '/svc/store/v1';

const post = (path: string, idempotencyKey: string, options: CallOptions = {}) =>
  app.call(path, {
    method: 'POST',
    key: admin,
    ...options,
    headers: { 'idempotency-key': idempotencyKey, ...options.headers },
  });
const keyCount = async () =>
  Number((await app.call('/keys?per_page=1', { key: admin })).headers.get('x-svc-total'));

const replayed = (reply: { headers: Headers }) => reply.headers.get('idempotent-replayed');

/** A service with some of the storage functions replaced. */
async function openWith(changed: Partial<StoredResponses>) {
  const modules = [...freeEdition, tryOut].map((module) =>
    module.runOnce
      ? { ...module, runOnce: runOnceWith({ ...storedResponses, ...changed }) }
      : module,
  );
  const changedApp = await openTestApp({ modules });
  const key = await changedApp.key('admin', 'read,manage');
  const headers = { 'idempotency-key': 'x' };
  return {
    create: () => changedApp.call('/keys', { method: 'POST', key, json: {}, headers }),
    outside: () => {
      runs = 1;
      return changedApp.call(`${store}/outside`, { method: 'POST', key, headers });
    },
    advance: (ms: number) => changedApp.advance(ms),
    keyCount: async () =>
      Number((await changedApp.call('/keys', { key })).headers.get('x-svc-total')),
  };
}

describe('Idempotency-Key', () => {
  describe('the same request again', () => {
    test('gets the same response byte for byte, marked as replayed, and changes nothing', async () => {
      const json = { description: 'Once', scopes: ['read'] };
      const first = await post('/keys', 'once', { json });
      const made = await keyCount();
      const second = await post('/keys', 'once', { json });
      assert.deepEqual([first.status, replayed(first)], [201, null]);
      assert.deepEqual([second.status, replayed(second)], [201, 'true']);
      assert.equal(second.text, first.text);
      assert.equal(second.headers.get('content-type'), first.headers.get('content-type'));
      assert.equal(await keyCount(), made);
    });

    test('replays the status, the type and the headers', async () => {
      const [first, second] = [
        await post(`${store}/headers`, 'h'),
        await post(`${store}/headers`, 'h'),
      ];
      assert.equal(second.text, first.text);
      assert.equal(second.status, 202);
      assert.equal(second.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(second.headers.get('link'), '<a>, <b>');
      assert.equal(replayed(second), 'true');
    });

    test('the same however it is written: as a form, in another order, with defaults', async () => {
      const first = await post('/keys', 'form', {
        json: { description: 'Form', scopes: ['read', 'write'] },
      });
      const form = await post('/keys', 'form', { form: 'scopes=read,write&description=Form' });
      assert.equal(form.text, first.text);

      const thing = await post(`${store}/things/1`, 'k', {
        json: { a: { x: 1, y: [2, { z: 3 }] } },
      });
      const again = await post(`${store}/things/%31`, 'k', {
        json: { a: { y: [2, { z: 3 }], x: 1 } },
      });
      assert.equal(again.text, thing.text);
    });

    test('an operation without input', async () => {
      const first = await post(`${store}/plain`, 'p');
      assert.equal((await post(`${store}/plain`, 'p')).text, first.text);
    });

    test('without the header every request runs', async () => {
      const [a, b] = [1, 2].map(() => app.call(`${store}/plain`, { method: 'POST', key: admin }));
      assert.notEqual((await a!).text, (await b!).text);
    });

    test('an operation that commits its own transactions', async () => {
      runs = 1;
      const first = await post(`${store}/outside`, 'o');
      const second = await post(`${store}/outside`, 'o');
      assert.deepEqual([first.status, replayed(first)], [200, null]);
      assert.deepEqual([second.text, replayed(second)], [first.text, 'true']);
    });
  });

  describe('16 at once', () => {
    test('one runs, and all get the same response', async () => {
      const before = await keyCount();
      const replies = await Promise.all(
        Array.from({ length: 16 }, () => post('/keys', 'race', { json: { description: 'Race' } })),
      );
      assert.equal(await keyCount(), before + 1);
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal(replies.filter((reply) => replayed(reply) === 'true').length, 15);
    });

    test('of an operation that commits its own transactions: one is refused, one runs, the others repeat it', async () => {
      runs = 0;
      const replies = await Promise.all(
        Array.from({ length: 16 }, () => post(`${store}/outside`, 'race')),
      );
      assert.equal(runs, 2);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [
        ...Array.from({ length: 15 }, () => 200),
        404,
      ]);
      assert.equal(replies.filter((reply) => replayed(reply) === 'true').length, 14);
    });

    test('the first is refused: the next one runs, the others repeat it', async () => {
      runs = 0;
      const replies = await Promise.all(
        Array.from({ length: 16 }, () => post(`${store}/refused`, 'refused-first')),
      );
      assert.equal(runs, 2);
      assert.equal(replies.filter(({ status }) => status === 404).length, 1);
      assert.equal(replies.filter((reply) => replayed(reply) === 'true').length, 14);
    });

    test('a process that died in the middle is waited for until its reservation lapses', async () => {
      const reserved = Promise.withResolvers<void>();
      const dead = { name: 'dead', lastsMs: 10_000 };
      let looks = 0;
      const late = await openWith({
        reserve: async (tx, site, request, own) => {
          looks += 1;
          if (looks === 1) await storedResponses.reserve(tx, site, request, dead);
          if (looks === 3) reserved.resolve();
          return storedResponses.reserve(tx, site, request, own);
        },
      });
      const waiting = late.outside();
      await reserved.promise;
      late.advance(dead.lastsMs);
      assert.equal((await waiting).status, 200);
      assert.equal(replayed(await late.outside()), 'true');
    });

    test('of two different requests one wins and the other is refused', async () => {
      const replies = await Promise.all(
        ['A', 'B'].map((description) => post('/keys', 'duel', { json: { description } })),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
    });
  });

  describe('another request', () => {
    test('409 svc_api_idempotency_mismatch, and nothing changes', async () => {
      await post('/keys', 'mismatch', { json: { description: 'A' } });
      const before = await keyCount();
      const reply = await post('/keys', 'mismatch', { json: { description: 'B' } });
      assert.equal(refusal(reply), '409 svc_api_idempotency_mismatch');
      assert.equal(replayed(reply), null);
      assert.equal(await keyCount(), before);
    });

    test('the first response stays stored', async () => {
      const first = await post('/keys', 'stays', { json: { description: 'A' } });
      await post('/keys', 'stays', { json: { description: 'B' } });
      const again = await post('/keys', 'stays', { json: { description: 'A' } });
      assert.equal(again.text, first.text);
    });

    test('to another path or by another caller is independent', async () => {
      const texts = new Set<string>();
      for (const path of ['/things/1', '/things/2', '/plain', '/headers']) {
        for (const key of [admin, other]) {
          texts.add((await post(store + path, 'shared', { key })).text);
        }
        const { text } = await post(store + path, 'shared', { basic: await app.basic('maya') });
        texts.add(text);
      }
      assert.equal(texts.size, 12);
    });
  });

  test('anonymous callers at different addresses do not share keys', async () => {
    const from = (address: string) =>
      app.call(`${store}/plain`, {
        method: 'POST',
        headers: { 'idempotency-key': 'stranger', 'x-forwarded-for': address },
      });
    const first = await from('198.51.100.1');
    assert.equal((await from('198.51.100.1')).text, first.text);
    assert.notEqual((await from('198.51.100.2')).text, first.text);
  });

  describe('a refused request', () => {
    test('is not stored: the next request runs', async () => {
      runs = 0;
      assert.equal((await post(`${store}/refused`, 'r')).status, 404);
      const second = await post(`${store}/refused`, 'r');
      assert.deepEqual([second.status, replayed(second)], [200, null]);
      const third = await post(`${store}/refused`, 'r');
      assert.deepEqual([third.text, replayed(third)], [second.text, 'true']);
    });

    test('may be corrected under the same key', async () => {
      assert.equal((await post('/keys', 'fix', { json: { user_id: 99 } })).status, 400);
      assert.equal((await post('/keys', 'fix', { json: { scopes: ['x'] } })).status, 400);
      assert.equal((await post('/keys', 'fix', { json: { user_id: 1 } })).status, 201);
    });

    test('a response with an error status is not stored either', async () => {
      const first = await post(`${store}/refused-politely`, 'rp');
      assert.equal(first.status, 409);
      assert.notEqual((await post(`${store}/refused-politely`, 'rp')).text, first.text);
    });

    test('a caller without access gets no replay', async () => {
      const record = await app.keyRecord('admin', 'manage');
      await post('/keys', 'gone', { key: record.token, json: {} });
      await app.call(`/keys/${record.id}`, { method: 'DELETE', key: admin });
      const reply = await post('/keys', 'gone', { key: record.token, json: {} });
      assert.equal(refusal(reply), '401 svc_api_invalid_key');
    });
  });

  describe('the key', () => {
    for (const [what, key] of [
      ['empty', ''],
      ['with a space', 'a b'],
      ['of 256 characters', 'x'.repeat(256)],
      ['with a letter beyond ASCII', 'sch\u00f6n'],
      ['given twice', 'a, b'],
    ] as const) {
      test(`${what}: 400 rest_invalid_param`, async () => {
        const reply = await post('/keys', key, { json: {} });
        assert.equal(refusal(reply), '400 rest_invalid_param');
        assert.deepEqual(Object.keys(reply.body.data.params), ['idempotency-key']);
      });
    }

    test('of 1 and of 255 characters of any kind', async () => {
      const visible = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join('');
      for (const key of ['1', (visible + visible + visible).slice(0, 255)]) {
        const first = await post(`${store}/plain`, key);
        assert.equal(first.status, 200);
        assert.equal((await post(`${store}/plain`, key)).text, first.text);
      }
    });

    test('means nothing to other methods and outside the API', async () => {
      for (const path of ['/me', '/keys']) {
        const headers = { 'idempotency-key': 'not valid' };
        assert.equal((await app.call(path, { key: admin, headers })).status, 200);
      }
      const json = { login: 'maya', password: 'wrong' };
      const headers = { 'idempotency-key': 'not valid' };
      const reply = await app.call('~/session', { method: 'POST', json, headers });
      assert.equal(reply.status, 401);
    });
  });

  describe('what is stored', () => {
    const rows = query<object, Record<string, unknown>>((db) =>
      db.selectFrom('idempotency_keys').selectAll(),
    );

    test('nothing is stored in plain text: no token, no key, no request', async () => {
      const reply = await post('/keys', 'my-own-key', { json: { description: 'In the open?' } });
      const stored = JSON.stringify(await app.site.database.read.all(rows, {}));
      for (const secret of [reply.body.token, 'my-own-key', 'In the open', 'notice']) {
        assert.ok(!stored.includes(secret), secret);
      }
      for (const [name, text] of await storedText(app)) {
        assert.ok(!text.includes(reply.body.token) && !text.includes('my-own-key'), name);
      }
    });

    test('a response with a secret is stored for ten minutes, then removed', async () => {
      const json = { description: 'Secret' };
      const first = await post('/keys', 'secret', { json });
      app.advance(10 * 60_000 - 1);
      const within = await post('/keys', 'secret', { json });
      assert.deepEqual([within.text, replayed(within)], [first.text, 'true']);
      app.advance(1);
      const later = await post('/keys', 'secret', { json });
      assert.deepEqual([later.status, replayed(later)], [201, null]);
      assert.notEqual(later.body.token, first.body.token);
      const before = (await app.site.database.read.all(rows, {})).length;
      app.advance(10 * 60_000);
      await pruneResponses.run(app.site);
      assert.ok((await app.site.database.read.all(rows, {})).length < before);
    });

    test('other responses are stored for 24 hours, then removed', async () => {
      const first = await post(`${store}/plain`, 'old');
      app.advance(24 * HOUR_MS - 60_000);
      assert.equal((await post(`${store}/plain`, 'old')).text, first.text);
      app.advance(60_000);
      const later = await post(`${store}/plain`, 'old');
      assert.notEqual(later.text, first.text, 'forgotten though not yet removed');
      assert.equal(replayed(later), null);
      assert.equal((await post(`${store}/plain`, 'old')).text, later.text, 'stored again');

      await pruneResponses.run(app.site);
      assert.equal((await app.site.database.read.all(rows, {})).length, 1);
      assert.equal((await post(`${store}/plain`, 'old')).text, later.text);
    });
  });

  test('another process was faster: the change is rolled back, and its response is replayed', async () => {
    let looks = 0;
    const late = await openWith({
      // The second request reads before the first has committed.
      find: async (db, site, request) =>
        ++looks === 2 ? undefined : storedResponses.find(db, site, request),
    });
    const first = await late.create();
    const second = await late.create();
    assert.equal(looks, 3);
    assert.deepEqual([second.text, replayed(second)], [first.text, 'true']);
    assert.equal(await late.keyCount(), 2, 'the key of the test and the one made');
  });

  test('a response that cannot be stored rolls the change back', async () => {
    let fails = true;
    const full = await openWith({
      store: async (...given) => {
        if (fails) throw new Error('disk full');
        await storedResponses.store(...given);
      },
    });
    assert.equal((await full.create()).status, 500);
    assert.equal(await full.keyCount(), 1, 'the key of the test alone');
    fails = false;
    assert.equal((await full.create()).status, 201);
  });

  test('is documented on every POST of the API and on nothing else', async () => {
    for (const path of ['/openapi', `${store}/openapi`]) {
      const { paths, components } = (await app.call(path)).body;
      for (const methods of Object.values<Record<string, any>>(paths)) {
        for (const [method, described] of Object.entries(methods)) {
          const takesKey = described.parameters.some((p: any) => p.name === 'Idempotency-Key');
          assert.equal(takesKey, method === 'post');
          const name = described.responses['409']?.$ref.split('/').at(-1);
          const refusals = components.responses[name]?.description ?? '';
          const documented = refusals.includes('svc_api_idempotency_mismatch');
          assert.equal(documented, method === 'post');
        }
      }
    }
  });
});
