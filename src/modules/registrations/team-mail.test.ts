import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';

const app = await openTestApp({ settings: { 'api.anonymous_rate_per_minute': 1_000_000 } });

let number = 0;
async function apply(): Promise<{ id: number; login: string }> {
  const login = `applicant${++number}`;
  const json = { login, email: `${login}@test.example`, display_name: `Applicant ${number}` };
  const reply = await app.call('/svc/store/v1/registrations', { method: 'POST', json });
  assert.equal(reply.status, 201, reply.text);
  return { id: reply.body.id, login };
}

const teamMails = async () =>
  (await outbox(app.site)).filter(({ template }) => template === 'registration-to-review');

describe('an application that waits for a decision', () => {
  test('sends each administrator and each manager one mail with the name and its address', async () => {
    const { id } = await apply();
    const mails = await teamMails();
    assert.deepEqual(
      mails.map(({ to_address }) => to_address),
      ['admin@test.example', 'manager@test.example'],
    );
    for (const { subject, text } of mails) {
      assert.equal(subject, 'Applicant 1 applied to the affiliate program');
      assert.ok(text.includes(`/console/applications/${id}\n`), text);
    }
  });

  test('is not mailed to members that switched the notice off', async () => {
    const session = await app.signIn('manager');
    const account = '/svc/store/v1/account';
    const { body } = await app.call(account, { session });
    assert.equal(body.notifications.applications, true);
    const json = { notifications: { applications: false } };
    const changed = await app.call(account, { method: 'PATCH', session, json });
    assert.equal(changed.status, 200, changed.text);
    const before = (await teamMails()).length;
    await apply();
    const mails = (await teamMails()).slice(before);
    assert.deepEqual(
      mails.map(({ to_address }) => to_address),
      ['admin@test.example'],
    );
  });

  test('is not mailed if it was accepted automatically', async () => {
    const before = (await teamMails()).length;
    await app.set({ 'registrations.auto_accept': true });
    await apply();
    await app.set({ 'registrations.auto_accept': false });
    assert.equal((await teamMails()).length, before);
  });

  test('is not mailed any more after 20 within an hour', async () => {
    app.advance(60 * 60_000);
    const before = (await teamMails()).length;
    for (let i = 0; i < 25; i++) await apply();
    assert.equal((await teamMails()).length, before + 20);
    app.advance(60 * 60_000);
    await apply();
    assert.equal((await teamMails()).length, before + 21);
  });
});
