import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { languages } from '../../shared/languages.ts';
import { mails, type MailDefinition } from './index.ts';
import { NO_LINK } from './mail-values.ts';
import { LINK_PLACEHOLDER } from './one-time-link.ts';
import { renderMail } from './render-mail.ts';
import { textsOf } from './texts/current-text.ts';
import { exampleDataOf } from './texts/example-data.ts';

const app = await openTestApp({ settings: { 'site.store_url': 'https://shop.example' } });
const { site } = app;
const evil =
  'Payment team https://evil.example/login? HTTP://evil.example https://shop.example.evil/';
const known = site.registry.modules
  .flatMap((module) => module.contributions ?? [])
  .filter(({ point }) => point === mails)
  .map(({ value }) => value as MailDefinition);
const own = new Set(
  [site.publicUrl, 'https://shop.example', LINK_PLACEHOLDER].map((url) => new URL(url).origin),
);

/** An address in every text value, also of lists; the sections of the others are shown. */
const withAddresses = (data: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' ? evil : typeof value === 'boolean' ? true : value,
    ]),
  );

describe('an address in every value: links lead to the site and the store only', () => {
  for (const mail of known) {
    test(mail.name, () => {
      for (const language of languages) {
        const data = withAddresses(exampleDataOf(site, mail, language));
        const names = Object.keys(data).map((name) => `{{${name}}}`);
        const texts = textsOf(site, mail, language, undefined);
        // Also where a store has written its own text, with every value and in HTML.
        const written = {
          subject: texts.subject,
          text: `https://shop.example/ {{name}}\n\n${names.join('\n\n')}`,
        };
        const inHtml = {
          ...written,
          html: names.map((name) => `<a href="${name}">x</a>`).join(''),
        };
        for (const template of [texts, written, inHtml]) {
          const { html, text } = renderMail(site, mail, template, {
            language,
            data,
            hasLink: true,
          });
          const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link!);
          const foreign = links.filter(
            (link) => URL.canParse(link) && !own.has(new URL(link).origin),
          );
          assert.deepEqual(foreign, []);
          // Mail programs make links of what looks like one.
          const bare = [...text.matchAll(/https?:\/\/\S*/gi)].map(([address]) => address);
          const linked = bare.filter((address) => !address.includes(NO_LINK));
          assert.deepEqual(
            linked.filter((address) => !own.has(new URL(address).origin)),
            [],
          );
        }
      }
    });
  }

  test('the address of a template, of the site and of the store is a link', () => {
    const [mail] = known;
    const text = 'https://help.example/a {{name}}';
    const data = {
      ...exampleDataOf(site, mail!, 'en'),
      name: `${site.publicUrl}/r/MAYA10 https://shop.example/b`,
    };
    const { html } = renderMail(
      site,
      mail!,
      { subject: 'x', text },
      { language: 'en', data, hasLink: false },
    );
    for (const link of [
      'https://help.example/a',
      `${site.publicUrl}/r/MAYA10`,
      'https://shop.example/b',
    ]) {
      assert.ok(html.includes(`href="${link}"`), link);
    }
  });
});

describe('400 for a display name with', () => {
  const names = {
    'an address': 'Payment team https://evil.example/login?',
    'another direction of writing': 'Maya \u202Egpj.exe',
    'a line separator': 'Maya\u2028Ortiz',
    'an invisible character': 'Ma\u200Bya',
  };
  for (const [what, display_name] of Object.entries(names)) {
    test(what, async () => {
      const session = await app.signIn('maya');
      const json = { display_name };
      const reply = await app.call('/svc/store/v1/account', { method: 'PATCH', session, json });
      assert.equal(reply.status, 400, reply.text);
      assert.deepEqual(Object.keys(reply.body.data.params), ['display_name']);
    });
  }
});
