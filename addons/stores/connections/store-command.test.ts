import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFile } from '../../../test/support/temp-folder.ts';
import { ShopletServer, TOKEN } from '../test/shoplet-server.ts';
import { StoreApp } from '../test/store-app.ts';
import { add, check, importHistory, list, reconcile } from './store-command.ts';

const extensions = join(import.meta.dirname, '../../../examples/store-connector/shoplet.ts');
const { app } = await StoreApp.open({ config: { extensions } });
const server = await new ShopletServer().listen();

/** What a command prints, as text. */
async function printed(
  run: (context: Parameters<typeof list>[0]) => Promise<void>,
): Promise<string> {
  let output = '';
  await run({
    withSite: (work) => work(app.site),
    print: (_value, text) => void (output += text()),
  });
  return output;
}

test('the commands connect a store, read it and show its state', async () => {
  assert.match(await printed(list), /^No stores/);
  const file = tempFile('keys.json', JSON.stringify({ token: TOKEN }));
  const flags = { kind: 'shoplet', name: 'Shop', url: server.url, credentials: file };
  const added = await printed((context) => add(context, flags));
  assert.match(added, /^Store 1 is connected\.\nThe token works\./);
  assert.match(added, new RegExp(`shown only once: ${server.hooks[0]!.secret}$`));
  await assert.rejects(
    printed((context) => add(context, { ...flags, credentials: tempFile('list.json', '[1]') })),
    /JSON object/,
  );

  const dayMs = 24 * 60 * 60_000;
  for (let id = 1; id <= 7; id += 1) server.put(id, app.site.clock() - dayMs * id);
  server.errors.push({ status: 429, headers: { 'retry-after': '1' } });
  // The wait is real, and the clock of the app is stopped.
  const waiting = setInterval(() => app.advance(1_000), 200);
  const imported = await printed((context) => importHistory(context, '1', {}));
  clearInterval(waiting);
  assert.equal(imported, '7 orders read, 7 new or changed.');
  server.put(8, app.site.clock());
  const since = { since: '2020-01-01' };
  const found = await printed((context) => reconcile(context, '1', since));
  assert.equal(found, '8 orders read, 1 of them was new or changed.');

  assert.equal(await printed((context) => check(context, '1')), 'The webhook is active.');
  server.isDown = true;
  await assert.rejects(
    printed((context) => check(context, '1')),
    /does not work/,
  );
  assert.match(await printed(list), /1 +shoplet +Shop +degraded/);
});
