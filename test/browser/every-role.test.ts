import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import type { Tab } from './tab.ts';

const payouts = await openPayoutApp({ settings: { 'commission.delay_days': 14 } });
const { app, admin } = payouts;
const browser = await openBrowser();

/** What belongs to one affiliate. Each value is nowhere else. */
interface Belongings {
  readonly markers: readonly string[];
  readonly coupon: number;
  readonly order: number;
  readonly payout: number;
}

async function change(path: string, method: 'POST' | 'PUT' | 'PATCH', json: object): Promise<any> {
  const reply = await app.call(path, { method, key: admin, json });
  assert.ok(reply.status < 300, `${path}: ${reply.text}`);
  return reply.body;
}

async function giveBelongings(login: string, number: number, iban: string): Promise<Belongings> {
  const id = idOf(login);
  const [code, holder, name] = [`MARK${number}`, `Holder ${number}`, `Name of ${number}`];
  const reference = `REF-${number}`;
  await change(`${STORE}/affiliates/${id}`, 'PATCH', { display_name: name });
  await payouts.setDetails(login, {
    method_type: 'banktransfer',
    details: { account_holder: holder, iban },
  });
  const { id: coupon } = await change(`${STORE}/coupons`, 'POST', { code, user_id: id });
  await payouts.earn(coupon, 40);
  const { id: payout } = await change('/payouts', 'POST', { coupon_id: coupon });
  await payouts.change(payout, 'paid', admin, { transaction_id: reference });
  await payouts.earn(coupon, 60);
  const date = app.site.calendar.toLocal(app.site.clock());
  const order = { date, status: 'completed', subtotal: 100, total: 100, coupon_codes: [code] };
  await change(`${STORE}/orders/${number}`, 'PUT', order);
  const masked = `${iban.slice(0, 2)}…${iban.slice(-4)}`;
  const markers = [code, holder, name, reference, String(number), iban, masked];
  return { markers: [...markers, `${login}@test.example`], coupon, order: number, payout };
}

const belongings = {
  maya: await giveBelongings('maya', 880_088, 'DE89370400440532013000'),
  tomas: await giveBelongings('tomas', 990_099, 'GB33BUKB20201555555555'),
};
type Affiliate = keyof typeof belongings;
const affiliates = Object.keys(belongings) as Affiliate[];

const publicPages = ['/', '/apply', '/apply/status?token=none', '/app/login', '/app/forgot'];

const sections = ['about', 'notifications', 'security', 'sessions', 'keys'];

/** Every screen, with what belongs to another person in its address. */
function addressesFor(viewer: string): string[] {
  const { coupon, order, payout } = belongings[viewer === 'maya' ? 'tomas' : 'maya'];
  return [
    '/app',
    `/app/links?coupon=${coupon}`,
    '/app/orders',
    `/app/orders?order=${order}`,
    `/app/money?payout=${payout}`,
    `/app/money?request=${coupon}`,
    '/app/payout-details',
    ...sections.map((section) => `/app/profile?section=${section}`),
  ];
}

/** Visits addresses and returns everything that the browser received. */
async function receivedBy({ page }: Tab, paths: readonly string[]): Promise<string[]> {
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    // The program itself is the same for everyone.
    if (pathname.startsWith('/app/files/')) return;
    const body = response.text().catch(() => '');
    bodies.push(body.then((text) => `${response.status()} ${response.url()}\n${text}`));
  });
  for (const path of paths) {
    await page.goto(`${app.url}${path}`);
    await page.waitForFunction(
      () => document.querySelector('h1') !== null && document.querySelector('.skeleton') === null,
    );
    bodies.push(Promise.resolve(`the page ${path}\n${await page.content()}`));
  }
  return Promise.all(bodies);
}

/** A page may repeat the number in its own address, as in "Order #7 was not found"; nothing else. */
function foreignIn(received: readonly string[], owner: Affiliate): string[] {
  return received.flatMap((text) => {
    const [head = '', ...rest] = text.split('\n');
    const body = rest.join('\n').replaceAll(/(href|action)="[^"]*"/g, '');
    return belongings[owner].markers
      .filter((marker) => body.includes(marker) && !isOwnAddress(head, marker))
      .map((marker) => `${marker} in ${head}`);
  });
}

function isOwnAddress(head: string, marker: string): boolean {
  return head.startsWith('the page') && head.includes(`=${marker}`);
}

const viewers = [
  { login: 'carla', role: 'a customer' },
  { login: 'maya', role: 'an affiliate' },
  { login: 'tomas', role: 'another affiliate' },
  { login: 'manager', role: 'a manager' },
  { login: 'admin', role: 'an administrator' },
];

// What a person may not see is refused, which the browser reports.
const options = { expected: /status of 40[0-4]/, width: 390 };

describe('no page shows anything of another person', browser.needed, () => {
  test('to anonymous visitors', async () => {
    const tab = await browser.open(`${app.url}/healthz`, options);
    const received = await receivedBy(tab, [...publicPages, '/app', '/app/money?payout=1']);
    for (const login of affiliates) assert.deepEqual(foreignIn(received, login), []);
    await tab.close();
  });

  const assertOnlyOwn = async (viewer: string) => {
    const tab = await openPortal(browser, app, viewer, '/app', options);
    const received = await receivedBy(tab, addressesFor(viewer));
    for (const login of affiliates) {
      const found = foreignIn(received, login);
      if (login === viewer) assert.ok(found.length > 0, 'one’s own things are shown');
      else assert.deepEqual(found, []);
    }
    await tab.close();
  };
  for (const { login, role } of viewers) {
    test(`to ${role}`, () => assertOnlyOwn(login));
  }

  test('to a suspended affiliate', async () => {
    await change(`${STORE}/affiliates/${idOf('tomas')}`, 'PATCH', { status: 'suspended' });
    await assertOnlyOwn('tomas');
  });
});
