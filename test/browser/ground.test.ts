import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { openBrowser } from './browser.ts';

/** Pages with one error each, which the checks of `Tab` must find. */
const pages: Record<string, string> = {
  '/good': '<h1>Good</h1>',
  '/outside': '<h1>Image</h1><img src="http://other.example/x.png" alt="">',
  '/script': '<h1>Script</h1><script>throw new Error("thrown by the page")</script>',
  '/console': '<h1>Console</h1><script>console.error("logged by the page")</script>',
  '/policy': '<h1>Policy</h1><script>document.title = "changed"</script>',
  '/wide': '<h1>Wide</h1><p style="width: 3000px">wide</p>',
  '/box': '<h1>Box</h1><div style="overflow-x: auto"><p style="width: 3000px">wide</p></div>',
  '/twice':
    '<h1>Twice</h1><p hidden>A notice</p><p>A notice</p><p>A notice</p><button>Go</button><button>Go</button>',
  '/faint': '<h1>Faint</h1><p style="color: #ccc">faint</p>',
};

const server = createServer(({ url }, response) => {
  const page = pages[url!];
  response.setHeader('content-type', 'text/html');
  if (url === '/policy') response.setHeader('content-security-policy', "script-src 'none'");
  response.statusCode = page === undefined ? 404 : 200;
  response.end(
    `<!doctype html><html lang="en"><head><title>Page</title><link rel="icon" href="data:,"></head><body><main>${page ?? '<h1>None</h1>'}</main></body></html>`,
  );
});
after(() => server.close());
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
const browser = await openBrowser();

describe('the browser of the tests', browser.needed, () => {
  test('waits for a text that is there twice, and refuses to choose what to click', async () => {
    const tab = await browser.open(at('/twice'));
    await tab.page.getByText('A notice').waitFor();
    await tab.page.getByText('Another notice').waitFor({ state: 'hidden' });
    await assert.rejects(tab.page.getByRole('button').click(), /strict mode violation/);
    await tab.close();
  });

  test('passes a page without faults', async () => {
    const tab = await browser.open(at('/good'), { width: 390, theme: 'dark' });
    await tab.assertAccessible();
    await tab.assertNoSidewaysScroll();
    assert.equal(await tab.page.evaluate(() => window.innerWidth), 390);
    const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
    assert.equal(await tab.page.evaluate(isDark), true);
    await tab.close();
  });

  const misdeeds = {
    '/outside': /requests to other hosts[^]*other\.example/,
    '/script': /thrown by the page/,
    '/console': /logged by the page/,
    '/policy': /Content Security Policy/,
  };
  for (const [path, message] of Object.entries(misdeeds)) {
    test(`fails the page ${path}`, async () => {
      const tab = await browser.open(at(path));
      await assert.rejects(tab.close(), message);
    });
  }

  test('fails a page that is wider than the window', async () => {
    const tab = await browser.open(at('/wide'));
    await assert.rejects(tab.assertNoSidewaysScroll(), /px wider than the window/);
    await tab.close();
  });

  test('fails a box that scrolls and that the keyboard does not reach', async () => {
    const tab = await browser.open(at('/box'));
    await assert.rejects(tab.assertNoSidewaysScroll(), /cannot be reached/);
    await tab.close();
  });

  test('fails a page that is hard to read', async () => {
    const tab = await browser.open(at('/faint'));
    await assert.rejects(tab.assertAccessible(), /color-contrast/);
    await tab.close();
  });

  test('fails another status than the expected one', async () => {
    await assert.rejects(browser.open(at('/absent')));
    const tab = await browser.open(at('/absent'), { status: 404 });
    await tab.close();
  });

  test('runs no script of a page when JavaScript is off', async () => {
    const tab = await browser.open(at('/script'), { javaScript: false });
    await tab.close();
  });
});
