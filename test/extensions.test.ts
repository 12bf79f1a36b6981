import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { query } from '../src/db/statements/query.ts';
import { ConfigError, resolveConfig } from '../src/installation/config.ts';
import { loadExtensions } from '../src/installation/load-extensions.ts';
import type { FeedEvent } from '../src/kernel/declare/feed-event.ts';
import { notifyListeners } from '../src/modules/events/notify-listeners.ts';
import { feedHead } from './support/feed-head.ts';
import { openTestApp, type TestApp } from './support/harness.ts';
import { tempFolder } from './support/temp-folder.ts';

let files = 0;

/** A site's own module file. */
function extensionFile(source: string, ending = 'mjs'): string {
  const file = join(tempFolder(), `extension-${(files += 1)}.${ending}`);
  writeFileSync(file, source);
  return file;
}

/** Other exports of the file, from the same module instance that the service has loaded. */
const exportsOf = (file: string) => import(pathToFileURL(file).href);

const position = query<{ name: string }, { position: number }>((db, p) =>
  db.selectFrom('cursors').select('position').where('name', '=', p.name),
);

async function cursorOf(app: TestApp, name: string): Promise<number | undefined> {
  const row = await app.site.database.read.first(position, { name: `listener:${name}` });
  return row?.position;
}

describe('an extension', async () => {
  const file = extensionFile(
    `import type { Extension } from '${pathToFileURL('src/kernel/declare/extension.ts').href}';
     const extension: Extension = {
       name: 'ours',
       amendOpenApi: (document) => ({ ...document, 'x-shop': 'Alpine' }),
     };
     export default extension;`,
    'ts',
  );
  const app = await openTestApp({ config: { extensions: file } });

  test('amends the OpenAPI documents', async () => {
    for (const base of ['/svc/v2', '/svc/store/v1']) {
      const { body } = await app.call(`${base}/openapi`);
      assert.equal(body['x-shop'], 'Alpine');
      assert.ok(body.paths['/openapi']);
    }
  });
});

test('several extensions in one file are called in order', async () => {
  const file = extensionFile(`export default [
    { name: 'one', amendOpenApi: (d) => ({ ...d, 'x-order': 'one' }) },
    { name: 'two', amendOpenApi: (d) => ({ ...d, 'x-order': d['x-order'] + ' two' }) },
  ];`);
  const app = await openTestApp({ config: { extensions: file } });
  assert.equal((await app.call('/openapi')).body['x-order'], 'one two');
});

test('an extension that fails to amend leaves the document unchanged', async () => {
  const file = extensionFile(
    `export default { name: 'bad', amendOpenApi() { throw new Error('no'); } };`,
  );
  const app = await openTestApp({ config: { extensions: file } });
  const { status, body } = await app.call('/openapi');
  assert.equal(status, 200);
  assert.equal(body.openapi, '3.1.0');
  assert.ok(app.logs.some((line) => line.includes('amendOpenApi failed')));
});

describe('a listener', async () => {
  const listening = (name: string) => `
    export const received = [];
    export const mood = { fails: () => false };
    export default {
      name: '${name}',
      async onEvent(event) {
        received.push(event);
        await new Promise((resolve) => setImmediate(resolve));
        if (mood.fails(event)) throw new Error('not in the mood');
      },
    };`;
  const file = extensionFile(listening('listener'));
  const { received, mood } = (await exportsOf(file)) as {
    received: FeedEvent[];
    mood: { fails(event: FeedEvent): boolean };
  };
  const app = await openTestApp({ config: { extensions: file } });
  const key = await app.key('admin', 'read,manage');
  const tell = () => notifyListeners.run(app.site);
  // Sets the cursor: a new listener receives the events after this.
  await tell();

  /** Emits this number of events and returns them as the feed shows them. */
  async function makeEvents(count: number): Promise<FeedEvent[]> {
    received.length = 0;
    const head = await feedHead(app.site);
    for (let i = 0; i < count; i++) await app.set({ 'site.name': `Name ${head} ${i}` });
    return (await app.call(`/events?after=${head}&per_page=100`, { key })).body;
  }

  test('receives every event in order, as the feed shows it', async () => {
    const events = await makeEvents(30);
    await tell();
    assert.deepEqual(received, events);
  });

  test('that fails gets the event again, and later events wait', async () => {
    let left = 2;
    const head = await feedHead(app.site);
    mood.fails = (event) => event.id === head + 2 && left-- > 0;
    const [first, second, third] = await makeEvents(3);
    for (let i = 0; i < 3; i++) await tell();
    assert.deepEqual(received, [first, second, second, second, third]);
    assert.ok(app.logs.some((line) => line.includes('onEvent failed')));
    mood.fails = () => false;
  });

  test('is not called without new events', async () => {
    const [event] = await makeEvents(1);
    for (let i = 0; i < 2; i++) await tell();
    assert.deepEqual(received, [event]);
    assert.equal(await cursorOf(app, 'listener'), event!.id);
  });
});

test('each listener has its own cursor: a failing one does not block the other', async () => {
  const file = extensionFile(`
    export const received = [];
    export default [
      { name: 'failing', onEvent() { throw new Error('always'); } },
      { name: 'working', onEvent(event) { received.push(event.id); } },
    ];`);
  const { received } = (await exportsOf(file)) as { received: number[] };
  const app = await openTestApp({ config: { extensions: file } });
  await notifyListeners.run(app.site);
  const head = await feedHead(app.site);
  await app.set({ 'site.name': 'Told' });
  await notifyListeners.run(app.site);
  assert.deepEqual(received, [head + 1]);
  assert.equal(await cursorOf(app, 'failing'), head);
});

describe('a malformed extension is refused with a message that says what to do', () => {
  for (const [why, source, words] of [
    ['no default export', 'export const x = 1;', /default export/],
    ['not an object', 'export default "x";', /default export/],
    ['null', 'export default null;', /default export/],
    ['no name', 'export default { onEvent() {} };', /"name"/],
    ['a misspelled hook', 'export default { name: "x", onEvnt() {} };', /onEvnt.*onEvent/],
    ['one of two is invalid', 'export default [{ name: "x" }, { nam: "y" }];', /"name"/],
    ['a hook that is not a function', 'export default { name: "x", onEvent: 5 };', /onEvent/],
    ['gateways that are not an array', 'export default { name: "x", gateways: {} };', /gateways/],
    ['two with the same name', 'export default [{ name: "x" }, { name: "x" }];', /"x"/],
    ['a file that throws', 'throw new Error("boom");', /boom/],
    ['a file that is not JavaScript', 'this is not JavaScript', /cannot be loaded/],
  ] as const) {
    test(why, async () => {
      await assert.rejects(loadExtensions(extensionFile(source)), (error) => {
        assert.ok(error instanceof ConfigError, String(error));
        assert.match(error.message, words);
        return true;
      });
    });
  }

  test('a missing file is refused', async () => {
    await assert.rejects(loadExtensions('/nowhere/extension.ts'), ConfigError);
  });

  test('the service does not start with it', async () => {
    const extensions = extensionFile('export default { name: "x", onEvnt() {} };');
    await assert.rejects(openTestApp({ config: { extensions } }), ConfigError);
  });
});

test('TRIBUTARY_EXTENSIONS is the path of the file', () => {
  const { config } = resolveConfig({}, { TRIBUTARY_EXTENSIONS: './ours.ts' });
  assert.equal(config.extensions, './ours.ts');
});
