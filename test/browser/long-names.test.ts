import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { moveToScreen, openScreen, screensOf, settingsOfScreens } from './screens.ts';

const browser = await openBrowser();

/** Names as people have them: many words, one word longer than a phone is wide, and no spaces at all. */
const MANY_WORDS = 'Maximiliana-Wilhelmina von Hohenzollern-Sigmaringen zu Donaueschingen';
const ONE_WORD = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetzenhandelsgesellschaft';
const CJK = '山田太郎と申しますが長い名前のアフィリエイト株式会社東京支店営業部第二課';

/** Texts that leave their box, and boxes that cut off their text without a sign that there is more. */
const spilled = () => {
  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (!element.checkVisibility() || element.closest('.visually-hidden, svg, .skip-link, input'))
      continue;
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    const { scrollWidth, clientWidth } = element;
    // A pixel is lost in rounding.
    if (scrollWidth <= clientWidth + 1 || clientWidth < 3 || display === 'inline') continue;
    const isText = element.children.length === 0 && element.textContent.trim() !== '';
    const isCut = ['hidden', 'clip'].includes(overflowX) && textOverflow !== 'ellipsis';
    if (!isCut && !(isText && overflowX === 'visible')) continue;
    found.push(
      `${element.localName}.${element.className} "${element.textContent.trim().slice(0, 30)}": ${scrollWidth} px in ${clientWidth} px`,
    );
  }
  return found;
};

async function openLongNames() {
  const payouts = await openPayoutApp({ settings: settingsOfScreens });
  const { app, admin } = payouts;
  await app.set({ 'api.rate_per_minute': 100_000, 'site.name': `${ONE_WORD} ${CJK.slice(0, 25)}` });
  const send = async (method: string, path: string, json: object) => {
    const reply = await app.call(path, { method, key: admin, json });
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    return reply.body;
  };
  const maya = `${STORE}/affiliates/${idOf('maya')}`;
  await send('PATCH', maya, { display_name: ONE_WORD });
  await send('PATCH', `${STORE}/affiliates/${idOf('tomas')}`, { display_name: CJK });
  await send('PUT', `${maya}/tags`, { tags: [ONE_WORD.slice(0, 40), CJK.slice(0, 30)] });
  await send('POST', `${maya}/notes`, { text: `${ONE_WORD} ${CJK}` });
  for (const name of [ONE_WORD, CJK]) await send('POST', `${STORE}/groups`, { name });
  const code = ONE_WORD.slice(0, 50).toUpperCase();
  const coupon = await send('POST', `${STORE}/coupons`, { code, user_id: idOf('maya') });
  await payouts.earn(coupon.id, 84.2);
  await payouts.coupon(20, idOf('tomas'));
  await payouts.earn(await payouts.coupon(0, idOf('tomas')), 12);
  const payout = (await send('POST', '/payouts', { coupon_id: coupon.id })).id;
  const date = app.site.calendar.toLocal(app.site.clock());
  const order = { date, status: 'completed', subtotal: 50, total: 50, coupon_codes: [code] };
  await send('PUT', `${STORE}/orders/7`, order);
  await send('POST', '/keys', {
    user_id: idOf('admin'),
    description: `${ONE_WORD} ${CJK}`,
    scopes: ['read', 'write', 'manage'],
  });
  await send('POST', '/webhooks', {
    name: MANY_WORDS,
    url: `https://hooks.example/${ONE_WORD}/${ONE_WORD}`,
    events: ['*'],
  });
  await send('POST', `${STORE}/registrations`, {
    login: 'long',
    email: `${ONE_WORD.slice(0, 60)}@example.com`,
    display_name: MANY_WORDS,
    website: `https://example.com/${ONE_WORD}`,
    promote: `${ONE_WORD} ${CJK}`,
  });
  await send('POST', `${STORE}/team`, {
    login: 'colleague',
    email: `${ONE_WORD.slice(0, 60)}@example.com`,
    display_name: MANY_WORDS,
    role: 'manager',
  });
  return { app, screens: screensOf({ affiliate: idOf('maya'), order: 7, payout }) };
}

const { app, screens } = await openLongNames();
const empty = await openTestApp({ settings: settingsOfScreens });
await empty.set({ 'api.rate_per_minute': 100_000 });

describe('long names and names without spaces', browser.needed, () => {
  for (const [login, paths] of Object.entries(screens)) {
    for (const width of [390, 1280]) {
      test(`${login || 'the public'}, ${width} px: stay within their boxes`, async () => {
        const tab = login
          ? await openPortal(browser, app, login, '/healthz', { width })
          : await browser.open(`${app.url}/healthz`, { width });
        const found: string[] = [];
        const open = login ? moveToScreen : openScreen;
        for (const path of paths) {
          await open(tab.page, app.url + path);
          const wide = await tab.page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          if (wide > 0) found.push(`${path}: ${wide} px wider than the window`);
          found.push(...(await tab.page.evaluate(spilled)).map((one) => `${path}: ${one}`));
        }
        assert.deepEqual(found, []);
        await tab.close();
      });
    }
  }
});

describe('a login beside a long name', browser.needed, () => {
  test('moves to the next line as a whole', async () => {
    const tab = await openPortal(browser, app, 'admin', '/console/payouts', { width: 390 });
    const login = tab.page.getByText('maya', { exact: true });
    await login.waitFor();
    const brokenAt = () =>
      login.evaluate((element) => {
        const broken: number[] = [];
        // Some of these widths leave room for half of the login behind the name.
        for (let width = 390; width >= 320; width -= 5) {
          element.closest('table')!.style.width = `${width - 60}px`;
          const lines = document.createRange();
          lines.selectNodeContents(element);
          if (lines.getClientRects().length > 1) broken.push(width);
        }
        return broken;
      });
    assert.deepEqual(await brokenAt(), []);
    await tab.close();
  });
});

describe('a program with nothing in it', browser.needed, () => {
  const { maya, admin } = screensOf({ affiliate: idOf('maya'), order: 7, payout: 1 });
  // Screens that always have something: forms, the people themselves, the built-in texts.
  const lists = admin.filter(
    (path) =>
      !/\/(settings|mails|add-ons|team|keys|orders\/7|payouts\/1|rewards\/new)/.test(path) &&
      !/tab=(summary|coupons|notes)/.test(path),
  );
  for (const [login, paths] of Object.entries({ maya, admin: lists })) {
    test(`${login}: each screen says so in words, and fits a phone`, async () => {
      const tab = await openPortal(browser, empty, login, '/healthz', { width: 390 });
      const silent: string[] = [];
      for (const path of paths) {
        await moveToScreen(tab.page, empty.url + path);
        await tab.assertNoSidewaysScroll();
        const words = await tab.page.locator('#content').innerText();
        if (words.split(/\s+/).length < 8) silent.push(`${path}: ${words}`);
      }
      assert.deepEqual(silent, []);
      await tab.close();
    });
  }
});
