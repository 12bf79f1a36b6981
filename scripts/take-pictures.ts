import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { BROWSER_FLAGS, browserEnvironment, findBrowser } from '../test/browser/program.ts';
import { freePort } from '../test/support/free-port.ts';

/**
 * Takes pictures into docs/pictures, of which git holds those of the README and the guides: starts the demo and photographs the public pages, the portal of an
 * affiliate and the console of an administrator, on a phone and on a laptop; then a new program. The demo has the
 * same orders every time, dated back from today. With arguments, only the pictures whose names begin with one of them.
 */
const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs/pictures');
const wanted = process.argv.slice(2);

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
  rewards: '/app/rewards',
};
const consoleScreens = {
  'console-overview': '/console',
  'console-affiliates': '/console/affiliates',
  'console-affiliate': '/console/affiliates/3',
  'console-coupons': '/console/coupons',
  'console-rewards': '/console/rewards',
  'console-new-rule': '/console/rewards/new',
  'console-groups': '/console/rewards?tab=groups',
  'console-orders': '/console/orders',
  'console-order': '/console/orders/1042',
  'console-payouts': '/console/payouts',
  'console-payout': '/console/payouts/13',
  'console-review': '/console/review',
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
  'console-mail': '/console/mails/registration-accepted',
  'console-outbox': '/console/outbox',
  'console-imports': '/console/imports',
  'console-new-import': '/console/imports?new=1',
  'console-add-ons': '/console/add-ons',
};

/** Dialogs of the guides for stores, without the screen behind them: an owner copies keys into them on a laptop. */
const connectDialogs = {
  'console-connect-woocommerce': '/console/stores?connect=woocommerce',
  'console-connect-shopify': '/console/stores?connect=shopify',
  'console-connect-stripe': '/console/stores?connect=stripe',
};

/** The screens by the login of the person that sees them. */
type Screens = Record<string, Record<string, string>>;
const demoScreens: Screens = {
  '': publicPages,
  maya: portalScreens,
  admin: { ...consoleScreens, ...connectDialogs },
};
const newScreens: Screens = { owner: { 'console-first-hour': '/console' } };

interface Service {
  url: string;
  people: { login: string; password: string }[];
  /** The lines that it has printed until it was ready. */
  output: string;
  stop(): Promise<void>;
}

/** Starts the service with a command, in a new data folder, and waits for a line that says that it is ready. */
async function startService(command: string, flags: string[], ready: RegExp): Promise<Service> {
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), 'tributary-pictures-'));
  // The links in the pictures begin with this address; nothing is sent to it.
  const publicUrl = 'https://partners.willow-and-wick.example';
  const listen = ['--tls', 'off', '--port', String(port), '--host', '127.0.0.1'];
  const all = ['--data', join(data, 'data'), '--public-url', publicUrl, ...listen, ...flags];
  const child = spawn(process.execPath, [join(root, 'bin/tributary.js'), command, ...all], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  while (!ready.test(output)) await once(child.stdout, 'data');
  return {
    url: `http://127.0.0.1:${port}`,
    people: [],
    output,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true });
    },
  };
}

async function startDemo(): Promise<Service> {
  const service = await startService('demo', ['--json'], /^\}$/m);
  // The demo prints this object with --json.
  const { people } = JSON.parse(service.output) as { people: Service['people'] };
  return { ...service, people };
}

/** A program on its first day, with nothing but its owner. */
async function startNewProgram(): Promise<Service> {
  const owner = { login: 'owner', password: 'pictures of the first hour' };
  const secrets = mkdtempSync(join(tmpdir(), 'tributary-owner-'));
  const file = join(secrets, 'password');
  writeFileSync(file, owner.password, { mode: 0o600 });
  const admin = ['--admin-email', 'owner@willow-and-wick.example', '--admin-login', owner.login];
  const flags = [...admin, '--admin-password-file', file];
  const service = await startService('start', flags, / is running at /);
  rmSync(secrets, { recursive: true });
  return { ...service, people: [owner] };
}

async function takePicture(context: BrowserContext, url: string, name: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  // Until nothing is loading.
  const loading = page.locator('.skeleton');
  while ((await loading.count()) > 0) await setTimeout(100);
  const options = { path: join(folder, `${name}.png`), animations: 'disabled' } as const;
  const dialog = page.getByRole('dialog');
  if (await dialog.isVisible()) {
    await page.setViewportSize({ width: 1280, height: 1200 });
    await dialog.screenshot(options);
  } else {
    await page.screenshot(options);
  }
  await page.close();
  console.log(`docs/pictures/${name}.png`);
}

async function takeAll(
  browser: Browser,
  { url, people }: Service,
  screens: Screens,
  device: Device,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const ending = colorScheme === 'dark' ? '-dark' : '';
  // In the dark, the first screen is enough.
  const choose = (pages: Record<string, string>) =>
    Object.entries(pages)
      .slice(0, colorScheme === 'dark' ? 1 : undefined)
      .filter(([name]) => device === 'laptop' || !(name in connectDialogs))
      .filter(([name]) => wanted.length === 0 || wanted.some((text) => name.startsWith(text)));
  for (const [login, pages] of Object.entries(screens)) {
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
const browser = await chromium.launch({
  executablePath: found.program.path,
  args: BROWSER_FLAGS,
  env: browserEnvironment(found.program),
});
try {
  for (const [start, screens] of [
    [startDemo, demoScreens],
    [startNewProgram, newScreens],
  ] as const) {
    const service = await start();
    for (const device of ['phone', 'laptop'] as const) {
      for (const scheme of ['light', 'dark'] as const) {
        await takeAll(browser, service, screens, device, scheme);
      }
    }
    await service.stop();
  }
} finally {
  await browser.close();
}
