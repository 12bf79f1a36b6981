import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { looks, type Tab } from './tab.ts';

const fields = [
  { name: 'country', label: 'Country', type: 'country', required: true },
  { name: 'channel', label: 'Channel', type: 'text', required: true },
];
const app = await openTestApp({ settings: { 'registrations.fields': fields } });
const admin = await app.key('admin', 'read,write');
const browser = await openBrowser();

async function assertReadable(tab: Tab): Promise<void> {
  await tab.assertNoSidewaysScroll();
  await tab.assertAccessible();
}

async function decide(status: string): Promise<void> {
  const [{ id }] = (await app.call('/registrations', { key: admin })).body;
  const json = { status, message: 'Thank you for your patience.' };
  const options = { method: 'POST', key: admin, json };
  assert.equal((await app.call(`/registrations/${id}/status`, options)).status, 200);
}

describe('an application in a browser', browser.needed, () => {
  for (const [i, { width, theme, name }] of looks.entries()) {
    test(`${name}: an application by keyboard alone, with own fields, to its decision`, async () => {
      const tab = await browser.open(`${app.url}/apply`, { width, theme });
      const { page } = tab;
      const isFocused = (label: string) =>
        page.getByLabel(label).evaluate((element) => element === document.activeElement);
      const reach = async (label: string) => {
        for (let steps = 0; steps < 40 && !(await isFocused(label)); steps += 1) {
          await page.keyboard.press('Tab');
        }
        assert.ok(await isFocused(label), `the keyboard reaches ${label}`);
      };
      const type = async (label: string, text: string) => {
        await reach(label);
        await page.keyboard.type(text);
      };
      await type('Your name', 'Nora');
      await type('Email address', `nora${i}@shop.example`);
      await type('Login', 'not a login');
      await type('Country', 'Austria');
      await type('Channel', 'A blog');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await assertReadable(tab);
      assert.equal(await page.getByLabel('Country').inputValue(), 'AT', 'typed before the fault');
      await reach('Login');
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(`nora${i}`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Thank you for applying' }).waitFor();
      await page.getByRole('link', { name: 'See the status' }).press('Enter');
      await page.getByText('Received, under review').waitFor();
      await assertReadable(tab);
      await decide('declined');
      await page.reload();
      await page.getByText('Declined').first().waitFor();
      await decide('accepted');
      await page.reload();
      await page.getByRole('button', { name: 'Send the invitation again' }).press('Enter');
      await page.getByText('on its way').waitFor();
      await assertReadable(tab);
      await tab.close();
    });
  }
});
