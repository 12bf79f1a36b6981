import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { BROWSER_FLAGS, browserEnvironment, findBrowser } from '../test/browser/program.ts';
import { freePort } from '../test/free-port.ts';

/**
 * Takes the pictures of docs/pictures: starts the demo and photographs the public pages, the portal of an
 * affiliate and the console of an administrator, on a phone and on a laptop. The demo has the same orders
 * every time, dated back from today.
 */
const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs/pictures');

const devices = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  laptop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
};
type Device = keyof typeof devices;

const publicPages = { program: '/', apply: '/apply', login: '/app/login' };
const portalScreens = {
  home: '/app',
  links: '/app/links',
  orders: '/app/orders',
  money: '/app/money',
  'payout-details': '/app/payout-details',
  profile: '/app/profile',
};
const consoleScreens = {
  'console-overview': '/console',
  'console-affiliates': '/console/affiliates',
  'console-affiliate': '/console/affiliates/3',
  'console-coupons': '/console/coupons',
  'console-orders': '/console/orders',
  'console-payouts': '/console/payouts',
  'console-applications': '/console/applications',
  'console-reports': '/console/reports',
  'console-clicks': '/console/clicks',
  'console-activity': '/console/activity',
  'console-stores': '/console/stores',
  'console-store': '/console/stores/1',
  'console-webhooks': '/console/webhooks',
  'console-keys': '/console/keys',
  'console-team': '/console/team',
  'console-settings': '/console/settings',
  'console-mails': '/console/mails',
  'console-outbox': '/console/outbox',
};

/** The screens by the login of the person that sees them. */
const signedIn: Record<string, Record<string, string>> = {
  maya: portalScreens,
  admin: consoleScreens,
};

interface Demo {
  url: string;
  people: { login: string; password: string }[];
  adminKey: string;
  stop(): Promise<void>;
}

async function startDemo(): Promise<Demo> {
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), 'tributary-pictures-'));
  // The links in the pictures begin with this address; nothing is sent to it.
  const publicUrl = 'https://partners.willow-and-wick.example';
  const listen = ['--tls', 'off', '--port', String(port), '--host', '127.0.0.1'];
  const flags = ['--json', '--public-url', publicUrl, ...listen];
  const program = join(root, 'bin/tributary.js');
  const child = spawn(process.execPath, [program, 'demo', '--data', join(data, 'demo'), ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += String(chunk);
    if (/^\}$/m.test(output)) break;
  }
  // The demo prints this object with --json.
  const { people, adminKey } = JSON.parse(output) as Pick<Demo, 'people' | 'adminKey'>;
  return {
    url: `http://127.0.0.1:${port}`,
    people,
    adminKey,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true });
    },
  };
}

async function takePicture(context: BrowserContext, url: string, name: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  // Until nothing is loading.
  const loading = page.locator('.skeleton');
  while ((await loading.count()) > 0) await setTimeout(100);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  await page.close();
  console.log(`docs/pictures/${name}.png`);
}

async function takeAll(
  browser: Browser,
  { url, people }: Demo,
  device: Device,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const ending = colorScheme === 'dark' ? '-dark' : '';
  // In the dark, the first screen is enough.
  const choose = (pages: Record<string, string>) =>
    Object.entries(pages).slice(0, colorScheme === 'dark' ? 1 : undefined);
  for (const [login, pages] of [['', publicPages] as const, ...Object.entries(signedIn)]) {
    const context = await browser.newContext({ ...devices[device], colorScheme, locale: 'en-US' });
    const person = people.find((one) => one.login === login);
    if (person) {
      const { password } = person;
      const reply = await context.request.post(`${url}/session`, { data: { login, password } });
      if (!reply.ok()) throw new Error(`No session: ${await reply.text()}`);
    }
    for (const [name, path] of choose(pages)) {
      await takePicture(context, url + path, `${name}-${device}${ending}`);
    }
    await context.close();
  }
}

const found = findBrowser();
if ('missing' in found) throw new Error(`No browser: ${found.missing}`);
mkdirSync(folder, { recursive: true });
const demo = await startDemo();
// No person opens as many screens in a minute.
await fetch(`${demo.url}/svc/store/v1/settings`, {
  method: 'PATCH',
  headers: { authorization: `Bearer ${demo.adminKey}`, 'content-type': 'application/json' },
  body: JSON.stringify({ 'api.rate_per_minute': 100_000 }),
});
const browser = await chromium.launch({
  executablePath: found.program.path,
  args: BROWSER_FLAGS,
  env: browserEnvironment(found.program),
});
try {
  for (const device of ['phone', 'laptop'] as const) {
    for (const scheme of ['light', 'dark'] as const) await takeAll(browser, demo, device, scheme);
  }
} finally {
  await browser.close();
  await demo.stop();
}
