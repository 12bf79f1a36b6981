import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';

const app = await openTestApp();
const key = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

async function notesOn(application: object): Promise<unknown[]> {
  const applied = await app.call(`${STORE}/registrations`, { method: 'POST', json: application });
  assert.equal(applied.status, 201, applied.text);
  const path = `${STORE}/registrations/${applied.body.id}/review`;
  const { body } = await app.call(path, { key });
  return body.notes.map((note: any) => [note.code, note.others.map((one: any) => one.user_id)]);
}

async function setDetails(login: string, method_type: string, details: object): Promise<void> {
  const path = `${STORE}/affiliates/${idOf(login)}/payout-details`;
  const json = { method_type, details };
  assert.equal((await app.call(path, { method: 'PUT', key, json })).status, 200);
}

test('an application names an account of an affiliate', async () => {
  const bank = { account_holder: 'Tomas K.', iban: 'DE89 3704 0044 0532 0130 00' };
  await setDetails('tomas', 'banktransfer', bank);
  await setDetails('maya', 'paypal', { email: 'Pay@pal.example' });
  const answers = { account: 'de89370400440532013000' };
  const iban = { login: 'iban', email: 'iban@iban.example', custom_fields: answers };
  assert.deepEqual(await notesOn(iban), [['same_payout_details', [idOf('tomas')]]]);
  const mail = { login: 'mail', email: 'pay@pal.example' };
  assert.deepEqual(await notesOn(mail), [['same_payout_details', [idOf('maya')]]]);
  assert.deepEqual(await notesOn({ login: 'none', email: 'none@none.example' }), []);
});
