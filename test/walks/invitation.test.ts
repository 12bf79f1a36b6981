import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sendMails } from '../../src/modules/mail/send-mails.ts';
import { eventually } from '../support/eventually.ts';
import { openTestApp } from '../support/harness.ts';
import { MailReceiver, type ReceivedMail } from '../support/mail-receiver.ts';

/** From the application form to the first sign-in, by the mails that a real mail server receives. */
const receiver = await new MailReceiver().listen();
const app = await openTestApp({
  config: { smtpUrl: receiver.url(), mailFrom: 'programm@laden.example' },
  settings: { 'site.name': 'Alpenladen', 'site.affiliate_word': 'partner' },
});
const admin = await app.key('admin', 'read,write,manage');
const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
const DAY_MS = 24 * 60 * 60_000;

const post = (path: string, fields: Record<string, string>) =>
  app.call(`~${path}`, {
    method: 'POST',
    form: new URLSearchParams(fields).toString(),
    headers: german,
  });

const mailTo = (address: string, subject: RegExp): Promise<ReceivedMail> =>
  eventually(async () => {
    await sendMails.run(app.site);
    const mail = receiver.received.find(
      ({ envelopeTo, parsed }) => envelopeTo[0] === address && subject.test(parsed.subject ?? ''),
    );
    assert.ok(mail, `no mail ${subject} to ${address}`);
    return mail;
  });

/** The path and token of the link on a line of its own. */
function linkIn({ parsed }: ReceivedMail): { path: string; token: string } {
  const [link] = parsed.text!.match(/^https?:\/\/\S+token=\S+$/m) ?? [];
  assert.ok(link !== undefined, parsed.text ?? '');
  assert.ok(parsed.html!.includes(`href="${link}"`), 'the button has the same link');
  const { pathname, searchParams } = new URL(link);
  return { path: pathname, token: searchParams.get('token')! };
}

async function applyAndAccept(login: string): Promise<{ path: string; token: string }> {
  const email = `${login}@test.example`;
  const applied = await post('/apply', { login, email, display_name: 'Jana Übel' });
  assert.equal(applied.status, 201);
  const received = await mailTo(email, /^Ihre Bewerbung bei Alpenladen ist eingegangen$/);
  assert.equal(linkIn(received).path, '/apply/status');
  const [{ id }] = (await app.call('/registrations?status=pending', { key: admin })).body;
  const accept = { status: 'accepted', message: 'Schön, dass Sie dabei sind.' };
  const path = `/registrations/${id}/status`;
  assert.equal((await app.call(path, { method: 'POST', key: admin, json: accept })).status, 200);
  const welcome = await mailTo(email, /^Willkommen im Partner-Programm von Alpenladen$/);
  assert.match(welcome.parsed.html!, /<html lang="de">/);
  assert.match(welcome.parsed.text!, /Passwort festlegen:/);
  assert.match(welcome.parsed.text!, /Schön, dass Sie dabei sind\./);
  return linkIn(welcome);
}

describe('an accepted applicant', () => {
  test('follows the link in the mail, chooses a password, and is signed in', async () => {
    const { path, token } = await applyAndAccept('jana');
    assert.equal(path, '/app/invitation');
    const page = `~${path}?token=${token}`;
    for (const look of ['first', 'second']) {
      const { status, text } = await app.call(page, { headers: german });
      assert.equal(status, 200, `${look} look: opening the page does not use the link up`);
      assert.match(text, /<html lang="de"/);
    }
    const weak = await post(path, { token, password: 'jana' });
    assert.equal(weak.status, 400);

    const done = await post(path, { token, password: 'drei Wege ins Tal 1791' });
    assert.equal(done.status, 303);
    assert.equal(done.headers.get('location'), '/app');
    const [cookie] = done.headers.getSetCookie();
    const headers = { cookie: cookie!.split(';')[0]! };
    const account = await app.call('/svc/store/v1/account', { headers });
    assert.equal(account.status, 200);
    assert.equal(account.body.user.login, 'jana');
    assert.equal(account.body.language, 'de');
    assert.equal(account.body.affiliate_status, 'active');

    const again = await post(path, { token, password: 'vier Wege ins Tal 1791' });
    assert.equal(again.status, 410, 'the link works once');
    const outbox = await app.call('/svc/store/v1/outbox?per_page=100', { key: admin });
    assert.ok(!JSON.stringify(outbox.body).includes(token), 'the outbox does not show it');
  });

  test('gets a new link when the first one has expired', async () => {
    const { path, token } = await applyAndAccept('udo');
    app.advance(8 * DAY_MS);
    const late = await app.call(`~${path}?token=${token}`, { headers: german });
    assert.equal(late.status, 410);
    assert.match(late.text, /<html lang="de"/);
    assert.match(late.text, /href="\/app\/forgot"/);
    const [udo] = (await app.call('/affiliates?search=udo', { key: admin })).body;
    const invite = `/svc/store/v1/affiliates/${udo.id}/invitation`;
    assert.equal((await app.call(invite, { method: 'POST', key: admin })).status, 202);
    const fresh = linkIn(await mailTo('udo@test.example', /^Ihr Zugang zu Alpenladen$/));
    assert.equal((await app.call(`~${fresh.path}?token=${fresh.token}`)).status, 200);
  });

  test('gets no link from a site without pages', async () => {
    const login = 'ida';
    await app.call('/svc/store/v1/registrations', {
      method: 'POST',
      json: { login, email: 'ida@test.example', language: 'fr' },
    });
    await mailTo('ida@test.example', /^Nous avons reçu/);
    const [{ id }] = (await app.call('/registrations?status=pending', { key: admin })).body;
    await app.set({ 'web.enabled': false });
    const path = `/registrations/${id}/status`;
    await app.call(path, { method: 'POST', key: admin, json: { status: 'accepted' } });
    await app.set({ 'web.enabled': true });
    const welcome = await mailTo('ida@test.example', /^Bienvenue dans le programme partenaire/);
    assert.doesNotMatch(welcome.parsed.text!, /token=|mot de passe/);
  });
});
