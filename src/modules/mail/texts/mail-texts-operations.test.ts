import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../../test/support/feed-head.ts';
import { openTestApp, refusal } from '../../../../test/support/harness.ts';
import { mailBody } from '../../../../test/support/mail-body.ts';
import { MailReceiver } from '../../../../test/support/mail-receiver.ts';
import { outbox } from '../../../../test/support/outbox.ts';
import { FieldErrors } from '../../../kernel/declare/field-errors.ts';
import { languages } from '../../../shared/languages.ts';
import { mails } from '../mail.ts';
import { sendMails } from '../send-mails.ts';
import { checkText } from './check-text.ts';

const receiver = await new MailReceiver().listen();
const app = await openTestApp({
  config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' },
  settings: { 'site.name': 'Alpine', 'mail.reply_to': 'help@store.example' },
});
const manager = await app.key('manager', 'read,write,manage');
const admin = await app.key('admin', 'read,write,manage');
const MAILS = '/svc/store/v1/mails';
const RECEIVED = '/registration-received';
const call = (method: string, path: string, json?: unknown, key = admin) =>
  app.call(`${MAILS}${path}`, { method, key, ...(json !== undefined && { json }) });
const params = (reply: { body: any }) => reply.body.data.params as Record<string, string>;

let number = 0;
async function apply(language: string) {
  const login = `mailed${++number}`;
  const json = { login, email: `${login}@test.example`, language };
  await app.call('/svc/store/v1/registrations', { method: 'POST', json });
  return (await outbox(app.site)).find(({ to_address }) => to_address === json.email)!;
}

const own = {
  subject: 'Servus von {{site.name}}',
  text: 'Hallo & <b>danke</b>!\n\n{{link}}\n\nGruß',
};

test('an own text is used by the next mail in its language only, and returns to the built-in one', async () => {
  const before = (await call('GET', `${RECEIVED}/de`)).body;
  assert.deepEqual([before.is_own, before.changed], [false, null]);
  const head = await feedHead(app.site);
  const { status, body } = await call('PUT', `${RECEIVED}/de`, own);
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, { ...own, is_own: true, built_in: before.built_in });
  assert.equal(body.changed.user.display_name, 'admin');
  await call('PUT', `${RECEIVED}/de`, own);
  assert.equal(await feedHead(app.site), head + 1);

  const german = await apply('de');
  assert.equal(german.subject, 'Servus von Alpine');
  assert.match(mailBody(german.text), /^Hallo & <b>danke<\/b>!\n\n[^]*Gruß$/);
  assert.match(german.html, /Hallo &amp; &lt;b&gt;danke&lt;/);
  assert.match(german.html, /class="button"/);
  assert.match((await apply('en')).subject, /We received your application/);
  const items = (await call('GET', '')).body;
  const listed = items.find((item: any) => item.name === 'registration-received');
  assert.deepEqual(
    listed.texts.filter((text: any) => text.is_own).map((text: any) => text.language),
    ['de'],
  );
  await sendMails.run(app.site);
  const received = receiver.received.find(({ parsed }) => parsed.subject === 'Servus von Alpine');
  assert.equal(received?.parsed.replyTo?.[0]?.address, 'help@store.example');
  assert.ok(!received.raw.includes('one-time-link'));

  assert.deepEqual((await call('DELETE', `${RECEIVED}/de`)).body, before);
  assert.match((await apply('de')).subject, /Ihre Bewerbung/);
  assert.equal((await call('DELETE', `${RECEIVED}/de`)).status, 200);
  assert.equal(await feedHead(app.site), head + 5);
});

describe('400: the faulty field is named, and nothing is stored', () => {
  for (const [why, change, field, reason] of [
    ['an unknown placeholder', { text: 'Hi {{nmae}} {{link}}' }, 'text', /\{\{nmae\}\} is unknown/],
    ['no link', { text: 'Hi' }, 'text', /must contain \{\{link\}\}/],
    [
      'a link that may be left out',
      { text: '{{#site.name}}{{link}}{{/site.name}}' },
      'text',
      /outside/,
    ],
    ['an open section', { text: '{{#link}} {{link}}' }, 'text', /Unclosed/],
    ['unescaped text', { text: '{{{link}}} {{link}}' }, 'text', /unescaped/],
    ['other delimiters', { text: '{{=<% %>=}}<%link%>' }, 'text', /./],
    ['the link in the subject', { subject: 'Go {{ link}}' }, 'subject', /must not contain/],
    ['a line break in the subject', { subject: 'a\nBcc: b@c.example' }, 'subject', /./],
    ['an empty text', { text: ' \n' }, 'text', /./],
  ] as const) {
    test(why, async () => {
      for (const [method, path] of [
        ['PUT', `${RECEIVED}/en`],
        ['POST', `${RECEIVED}/en/preview`],
        ['POST', `${RECEIVED}/en/test`],
      ] as const) {
        const reply = await call(method, path, { ...own, ...change });
        assert.equal(refusal(reply), '400 rest_invalid_param');
        assert.match(params(reply)[field]!, reason);
      }
      assert.equal((await call('GET', `${RECEIVED}/en`)).body.is_own, false);
    });
  }

  test('every built-in text fulfils the rules for own texts', () => {
    for (const mail of app.site.registry.contributions(mails)) {
      for (const language of languages) {
        const errors = new FieldErrors();
        const { subject, text } = mail.texts[language];
        checkText({ name: mail.name, subject, text }, errors, app.site);
        assert.ok(errors.isEmpty, `${mail.name} ${language}: ${JSON.stringify(errors.invalid)}`);
        assert.ok(mail.about, mail.name);
      }
    }
  });
});

test('POST …/preview and …/test: example data, in every mail; the test reaches the caller by mail', async () => {
  const items = (await call('GET', '')).body;
  for (const { name } of items.slice(0, 40)) {
    const { subject, text } = (await call('GET', `/${name}/fr`)).body;
    const preview = await call('POST', `/${name}/fr/preview`, { subject, text });
    assert.equal(preview.status, 200, preview.text);
    assert.ok(!/\{\{|undefined/.test(preview.body.text + preview.body.subject), preview.body.text);
    assert.match(preview.body.html, /^<!doctype html>[^]*lang="fr"/);
  }
  const text = 'Hello {{name}}, {{coupon_code}} {{message}}\n\n{{link}}';
  const accepted = '/registration-accepted/en';
  const sent = await call('POST', `${accepted}/test`, { subject: 'Welcome', text });
  assert.deepEqual([sent.status, sent.body], [202, { to: 'admin@test.example' }]);
  await sendMails.run(app.site);
  const mail = receiver.received.find(({ parsed }) => parsed.subject === '[Test] Welcome');
  assert.deepEqual(mail?.envelopeTo, ['admin@test.example']);
  assert.match(mail.parsed.text!, /Hello Maya Ortiz, MAYA10[^]*\/app\/login/);
  assert.equal((await call('GET', accepted)).body.is_own, false);
  const more = await Promise.all(
    Array.from({ length: 11 }, () => call('POST', `${accepted}/test`, { subject: 'W', text })),
  );
  assert.ok(more.some((reply) => refusal(reply) === '429 svc_api_rate_limited'));
});

test('412 with If-Match: of concurrent changes based on one version, one is stored', async () => {
  const path = '/payout-paid/es';
  const current = await call('GET', path);
  const change = (method: 'PUT' | 'DELETE', tag: string, subject = '', key = manager) =>
    app.call(`${MAILS}${path}`, {
      method,
      key,
      headers: { 'If-Match': tag },
      ...(method === 'PUT' && { json: { subject, text: current.body.text } }),
    });
  const builtIn = current.headers.get('etag')!;
  const replies = await Promise.all(
    ['A', 'B', 'C', 'D'].map((subject, i) =>
      change('PUT', builtIn, subject, i % 2 ? admin : manager),
    ),
  );
  const stored = replies.find(({ status }) => status === 200)!;
  const winner = replies.indexOf(stored) % 2 ? 'admin' : 'manager';
  for (const reply of replies.filter((one) => one !== stored)) {
    assert.equal(refusal(reply), '412 svc_api_changed_meanwhile');
    assert.equal(reply.body.message, `Changed since by ${winner}. Nothing was saved.`);
  }
  const tag = stored.headers.get('etag')!;
  const read = await call('GET', path);
  assert.deepEqual([read.body.subject, read.headers.get('etag')], [stored.body.subject, tag]);
  // The same change sent again, because its response was lost.
  assert.equal((await change('PUT', builtIn, stored.body.subject)).status, 200);
  assert.equal(refusal(await change('DELETE', builtIn)), '412 svc_api_changed_meanwhile');
  assert.equal((await change('PUT', `"other", W/${tag}`, 'Next')).status, 200);
  assert.equal((await change('PUT', '*', 'Any')).status, 200);
  const reset = await change('DELETE', (await call('GET', path)).headers.get('etag')!);
  assert.deepEqual([reset.status, reset.headers.get('etag')], [200, builtIn]);
  assert.equal((await change('DELETE', tag)).status, 200, 'nothing to remove');
});

test('403, 404 and the filters of the outbox', async () => {
  const reader = await app.key('manager', 'read,write');
  const maya = await app.key('maya', 'manage');
  assert.equal(refusal(await call('GET', '', undefined, reader)), '403 svc_api_insufficient_scope');
  assert.equal(refusal(await call('PUT', `${RECEIVED}/en`, own, maya)), '403 svc_api_forbidden');
  assert.equal(refusal(await call('GET', '/no-such-mail/en')), '404 svc_api_not_found');
  assert.equal(refusal(await call('PUT', '/no-such-mail/en', own)), '404 svc_api_not_found');
  const { to_address } = await apply('pt');
  const list = async (query: string) =>
    (await app.call(`/svc/store/v1/outbox?${query}`, { key: manager })).body;
  const found = await list(`to=${to_address}&template=registration-received`);
  assert.deepEqual(
    found.map((mail: any) => [mail.to, mail.template]),
    [[to_address, 'registration-received']],
  );
  assert.deepEqual(await list(`to=${to_address}&template=password-changed`), []);
});

test('every placeholder of every mail is described', async () => {
  for (const { name } of (await call('GET', '')).body) {
    const { placeholders } = (await call('GET', `/${name}/en`)).body;
    for (const one of placeholders) assert.notEqual(one.description, '', `${name}: ${one.name}`);
  }
});
