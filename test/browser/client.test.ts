import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { build } from 'esbuild';
import type * as client from '../../sdk/src/index.ts';
import { openTestApp, PASSWORD } from '../support/harness.ts';
import { openBrowser } from './browser.ts';

const app = await openTestApp();
const browser = await openBrowser();

/** The client as a script that leaves its exports in a global variable. */
async function clientScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL('../../sdk/src/index.ts', import.meta.url).pathname],
    bundle: true,
    format: 'iife',
    globalName: 'client',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]!.text;
}

describe('the client in a browser', browser.needed, () => {
  test('signs in, reads, changes with the CSRF token and signs out', async () => {
    const tab = await browser.open(`${app.url}/healthz`);
    // A page of the same origin whose policy allows requests, and which makes none by itself.
    const body = `<script>${await clientScript()}</script>`;
    await tab.page.route('**/empty', (route) => route.fulfill({ body, contentType: 'text/html' }));
    await tab.page.goto(`${app.url}/empty`);
    const seen = await tab.page.evaluate(async (password) => {
      // The script of the page has set it.
      const { Tributary } = (globalThis as unknown as { client: typeof client }).client;
      const tributary = new Tributary({ url: '', session: true });
      const session = await tributary.session.signIn({ login: 'admin', password });
      const { id } = await tributary.groups.create({ name: 'From a browser' });
      const group = await tributary.groups.update(id, { name: 'Changed' });
      const { total } = await tributary.groups.list();
      const csv = await (await tributary.exports.affiliatesCsv()).text();
      // Another client, as after a reload, has no token yet.
      await new Tributary({ url: '', session: true }).session.signOut();
      return { login: session.user.login, name: group.name, total, csv: csv.slice(0, 2) };
    }, PASSWORD);
    assert.deepEqual(seen, { login: 'admin', name: 'Changed', total: 1, csv: seen.csv });
    assert.ok(seen.csv.length > 0);
    await tab.close();
  });
});
