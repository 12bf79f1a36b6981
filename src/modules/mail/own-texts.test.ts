import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { openTestApp, type TestApp } from '../../../test/support/harness.ts';
import { inEveryLanguage, testMail } from '../../../test/support/in-every-language.ts';
import { mailBody } from '../../../test/support/mail-body.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { query } from '../../db/statements/query.ts';
import { freeEdition } from '../../edition-free.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import type { Language } from '../../shared/languages.ts';
import { enqueueMail, mails } from './index.ts';
import type { OutboxRow } from './outbox-rows.ts';
import { sendMails } from './send-mails.ts';

const greeting = testMail(
  'test-greeting',
  inEveryLanguage({ subject: 'Hello', text: 'Built in.', html: '<b>Built in.</b>' }),
  Type.Object({ who: Type.String(), note: Type.String() }),
);
const LINK = 'https://program.test.example/app/reset?token=Zx81Qq';
const resetting = testMail(
  'test-reset',
  inEveryLanguage({ subject: 'Reset', text: 'Built in:\n\n{{link}}' }),
  Type.Object({}),
);
const modules = [
  ...freeEdition,
  defineModule({
    name: 'test-mails',
    summary: 'For tests.',
    addon: false,
    contributions: [contribute(mails, greeting), contribute(mails, resetting)],
  }),
];
const newest = query<object, OutboxRow>((db) =>
  db.selectFrom('outbox').selectAll().orderBy('id', 'desc').limit(1),
);

async function openWith(files: Record<string, string>): Promise<TestApp> {
  const folder = tempFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return openTestApp({ modules, config: { mailTemplates: folder } });
}

async function written(app: TestApp, language: Language = 'en'): Promise<OutboxRow> {
  await app.site.database.transaction(async (tx) =>
    enqueueMail(tx, app.site, greeting, {
      to: { address: 'maya@test.example', language },
      data: { who: '<Maya>', note: '' },
      key: language,
      nowMs: app.site.clock(),
    }),
  );
  return (await app.site.database.read.first(newest, {}))!;
}

async function complaintsOf(app: TestApp): Promise<string[]> {
  await sendMails.run(app.site);
  return app.logs.filter((line) =>
    /template is invalid|no mail of this name|cannot read/.test(line),
  );
}

describe("a site's own texts", () => {
  test('replace the built-in ones, each part separately', async () => {
    const app = await openWith({ 'test-greeting.subject.txt': 'Salut {{who}}\n' });
    const mail = await written(app);
    assert.equal(mail.subject, 'Salut <Maya>');
    assert.equal(mailBody(mail.text), 'Built in.');
    assert.match(mail.html, /<b>Built in\.<\/b>/);
    assert.deepEqual(await complaintsOf(app), []);
  });

  test('a text without an HTML file is also used for the HTML part', async () => {
    const app = await openWith({ 'test-greeting.txt': 'Salut {{who}}{{#note}} never{{/note}}!' });
    const mail = await written(app);
    assert.equal(mailBody(mail.text), 'Salut <Maya>!');
    assert.match(mail.html, /<p [^>]*>Salut &lt;Maya&gt;!<\/p>/);
  });

  test('of a language are used instead of those for all languages', async () => {
    const app = await openWith({
      'test-greeting.subject.txt': 'Salut {{who}}',
      'test-greeting.html': '<i>Salut</i>',
      'test-greeting.de.txt': 'Guten Tag {{who}}',
    });
    assert.deepEqual(await complaintsOf(app), []);
    const german = await written(app, 'de');
    assert.equal(german.subject, 'Salut <Maya>');
    assert.equal(mailBody(german.text), 'Guten Tag <Maya>');
    assert.match(german.html, /<html lang="de">/);
    assert.match(german.html, /<p [^>]*>Guten Tag &lt;Maya&gt;<\/p>/);
    const french = await written(app, 'fr');
    assert.equal(mailBody(french.text), 'Built in.');
    assert.match(french.html, /<i>Salut<\/i>/);
  });

  test("values are escaped in the site's own HTML as well", async () => {
    const app = await openWith({ 'test-greeting.html': '<i>{{who}} at {{site.name}}</i>' });
    assert.match((await written(app)).html, /<i>&lt;Maya&gt; at My store<\/i>/);
  });

  for (const [why, template, reason] of [
    ['a tag that is not closed', 'Hello {{who', /Unclosed tag/],
    ['a section that is not closed', '{{#note}}Hello', /Unclosed section/],
    ['an unknown name', 'Hello {{whom}}', /whom.*is unknown.*who, note/],
    ['text unescaped', '{{{who}}}', /unescaped/],
    ['text unescaped in a section', '{{#note}}{{&who}}{{/note}}', /unescaped/],
    ['another file', '{{>/etc/passwd}}', /not supported/],
  ] as const) {
    test(`${why}: logged at the start, and the built-in one is used`, async () => {
      const app = await openWith({ 'test-greeting.html': template });
      const [line, ...more] = await complaintsOf(app);
      assert.match(line!, /test-greeting\.html/);
      assert.match(JSON.parse(line!).reason, reason);
      assert.deepEqual(more, []);
      assert.match((await written(app)).html, /<b>Built in\.<\/b>/);
    });
  }

  for (const [file, template] of [
    ['subject.txt', '{{link}}'],
    ['txt', 'https://collect.example/?u={{link}}'],
    ['html', '<a href="https://collect.example/?u={{link}}">Go</a>'],
    ['html', '<p>https://collect.example/?u={{link}}</p>'],
    ['html', '<img src="{{link}}">'],
  ] as const) {
    test(`a one-time link within something else is not used: ${template}`, async () => {
      const app = await openWith({ [`test-reset.${file}`]: template });
      assert.match(JSON.parse((await complaintsOf(app))[0]!).reason, /must (not )?contain/);
      await app.site.database.transaction(async (tx) =>
        enqueueMail(tx, app.site, resetting, {
          to: { address: 'maya@test.example' },
          data: {},
          link: LINK,
          key: 'reset',
          nowMs: app.site.clock(),
        }),
      );
      const { subject, text, html } = (await app.site.database.read.first(newest, {}))!;
      assert.equal(subject, 'Reset');
      assert.match(text, /Built in:/);
      assert.doesNotMatch(text + html, /collect|<img/);
    });
  }

  test('a one-time link as an address, and as the text of an element, is used', async () => {
    const template = '<p><a href="{{link}}">Go</a></p><p> {{link}} </p>';
    const app = await openWith({
      'test-reset.html': template,
      'test-reset.txt': 'Go:\n{{link}}\n',
    });
    assert.deepEqual(await complaintsOf(app), []);
  });

  test('a file without a mail of its name and a missing folder are logged at the start', async () => {
    const [line] = await complaintsOf(await openWith({ 'test-greting.txt': 'Hello' }));
    assert.match(line!, /test-greting\.txt/);
    const missing = join(tempFolder(), 'none');
    const app = await openTestApp({ modules, config: { mailTemplates: missing } });
    assert.match((await complaintsOf(app))[0]!, /cannot read/);
    assert.equal(mailBody((await written(app)).text), 'Built in.');
  });
});
