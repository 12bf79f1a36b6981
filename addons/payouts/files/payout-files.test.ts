import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { query } from '../../../src/db/statements/query.ts';
import { idOf, refusal } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { sepaText } from './sepa-text.ts';

const IBAN = 'DE89370400440532013000';
const payouts = await openPayoutApp({
  settings: {
    'site.currency': 'EUR',
    'payouts.methods': ['banktransfer', 'paypal', 'wise', 'credit'],
    'payouts.debtor_name': 'Müller & Söhne GmbH',
    'payouts.debtor_iban': 'NL91 ABNA 0417 1643 00',
    'payouts.debtor_bic': 'ABNANL2A',
  },
});
const { app, admin } = payouts;
const manager = await app.key('manager', 'read,write,manage');

const create = (json: object, key = admin) =>
  app.call(`${STORE}/payouts/files`, { method: 'POST', key, json });
const problems = (reply: any) =>
  reply.body.data.problems.map(({ payout_id, code }: any) => [payout_id, code]);

async function payoutOf(login: string, method_type: string, details: object, amount = 10) {
  await payouts.setDetails(login, { method_type, details });
  const { body } = await payouts.request(await payouts.coupon(amount, idOf(login)));
  return body.id as number;
}
const bank = (name: string, more: object = {}, amount?: number) =>
  payoutOf('maya', 'banktransfer', { account_holder: name, iban: IBAN, ...more }, amount);

describe('POST /payouts/files', () => {
  test('SEPA: a pain.001.001.09 with the totals, in the characters of SEPA', async () => {
    const ids = [
      await bank('Zoë Ångström <&> Łukasz', {}, 12.5),
      await bank('Ana', { bic: 'DEUTDEFF' }, 0.05),
    ];
    const { status, body, text } = await create({ format: 'sepa', ids });
    assert.equal(status, 201, text);
    assert.deepEqual([body.payouts, body.total, body.currency], [2, 12.55, 'EUR']);
    assert.match(body.name, /^payouts-sepa-\d{4}-\d\d-\d\d-\w{10}\.xml$/);
    const id = /<MsgId>([A-Za-z0-9-]{1,35})<\/MsgId>/.exec(body.content)![1]!;
    const at = /<CreDtTm>(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)<\/CreDtTm>/.exec(body.content)![1]!;
    const day = /<Dt>(\d{4}-\d\d-\d\d)<\/Dt>/.exec(body.content)![1]!;
    const sums = '<NbOfTxs>2</NbOfTxs><CtrlSum>12.55</CtrlSum>';
    const debtor = '<Nm>Muller + Sohne GmbH</Nm>';
    const transfer = (n: number, amount: string, agent: string, name: string) =>
      `<CdtTrfTxInf><PmtId><InstrId>PAYOUT-${n}</InstrId><EndToEndId>PAYOUT-${n}</EndToEndId></PmtId>` +
      `<Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt>${agent}<Cdtr><Nm>${name}</Nm></Cdtr>` +
      `<CdtrAcct><Id><IBAN>${IBAN}</IBAN></Id></CdtrAcct><RmtInf><Ustrd>PAYOUT-${n}</Ustrd></RmtInf></CdtTrfTxInf>`;
    assert.equal(
      body.content,
      `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">` +
        `<CstmrCdtTrfInitn><GrpHdr><MsgId>${id}</MsgId><CreDtTm>${at}</CreDtTm>${sums}` +
        `<InitgPty>${debtor}</InitgPty></GrpHdr><PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>` +
        `<BtchBookg>true</BtchBookg>${sums}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>` +
        `<ReqdExctnDt><Dt>${day}</Dt></ReqdExctnDt><Dbtr>${debtor}</Dbtr>` +
        `<DbtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></DbtrAcct>` +
        `<DbtrAgt><FinInstnId><BICFI>ABNANL2A</BICFI></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>` +
        transfer(ids[0]!, '12.50', '', 'Zoe Angstrom + Lukasz') +
        transfer(
          ids[1]!,
          '0.05',
          '<CdtrAgt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></CdtrAgt>',
          'Ana',
        ) +
        `</PmtInf></CstmrCdtTrfInitn></Document>\n`,
    );
    await app.set({ 'payouts.debtor_bic': '' });
    const without = await create({ format: 'sepa', ids, again: true });
    assert.match(
      without.body.content,
      /<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED<\/Id><\/Othr><\/FinInstnId><\/DbtrAgt>/,
    );
  });

  test('PayPal and Wise: the columns of their templates', async () => {
    const paypal = await payoutOf('maya', 'paypal', { email: 'maya@pay.example' }, 1234.5);
    const { body } = await create({ format: 'paypal', ids: [paypal] });
    assert.deepEqual(parse(body.content), [
      ['maya@pay.example', '1234.50', 'EUR', `PAYOUT-${paypal}`, `Payout ${paypal}`, 'PAYPAL'],
    ]);
    const wise = await payoutOf('maya', 'wise', { target_account: 4711 });
    const reply = await create({ format: 'wise', ids: [wise] });
    const [header, line] = parse(reply.body.content);
    assert.deepEqual(Object.fromEntries(header!.map((name, i) => [name, line![i]])), {
      recipientId: '4711',
      name: line![1],
      sourceCurrency: 'EUR',
      targetCurrency: 'EUR',
      amountCurrency: 'target',
      amount: '10.00',
      paymentReference: `PAYOUT-${wise}`,
    });
    const formula = await payoutOf('maya', 'paypal', { email: '=maya@pay.example' });
    assert.deepEqual(problems(await create({ format: 'paypal', ids: [formula] })), [
      [formula, 'svc_api_destination_unusable'],
    ]);
  });

  test('bank transfers in any currency: a table with every kind of account', async () => {
    const account = { account_number: '12-345', bank_code: '026009593', country: 'US' };
    const id = await payoutOf('maya', 'banktransfer', { account_holder: 'Maya Ortiz', ...account });
    const { body } = await create({ format: 'bank', ids: [id] });
    const [header, line] = parse(body.content);
    assert.deepEqual(Object.fromEntries(header!.map((name, i) => [name, line![i]])), {
      name: 'Maya Ortiz',
      account: '12-345',
      bank_code: '026009593',
      bank_name: '',
      country: 'US',
      amount: '10.00',
      currency: 'EUR',
      reference: `PAYOUT-${id}`,
    });
  });

  test('names each payout that cannot be in it, and makes no file', async () => {
    const { headers } = await app.call(`${STORE}/payouts/files`, { key: admin });
    const paid = await payouts.payoutAt('paid');
    const credit = await payoutOf('tomas', 'credit', {});
    const account = { account_holder: 'Tomás', account_number: '12345678', bank_code: '100' };
    const [noIban, cyrillic, used] = [
      await payoutOf('tomas', 'banktransfer', account),
      await bank('Иван'),
      await bank('Maya Okafor'),
    ];
    await create({ format: 'sepa', ids: [used] });
    const ids = [paid.id, credit, noIban, cyrillic, used, 987_654];
    const reply = await create({ format: 'sepa', ids });
    assert.equal(refusal(reply), '409 svc_api_not_payable');
    assert.deepEqual(problems(reply), [
      [paid.id, 'svc_api_invalid_transition'],
      [credit, 'svc_api_other_method'],
      [noIban, 'svc_api_destination_unusable'],
      [cyrillic, 'svc_api_destination_unusable'],
      [used, 'svc_api_payout_in_file'],
      [987_654, 'svc_api_not_found'],
    ]);
    assert.equal((await create({ format: 'sepa', ids: [used], again: true })).status, 201);
    const after = await app.call(`${STORE}/payouts/files`, { key: admin });
    const total = (h: Headers) => Number(h.get('x-svc-total'));
    assert.equal(total(after.headers), total(headers) + 2);
  });

  test('two managers act concurrently: one file has the payouts', async () => {
    const ids = [await bank('Maya Okafor'), await bank('Maya Okafor')];
    const replies = await Promise.all([
      create({ format: 'sepa', ids }),
      create({ format: 'sepa', ids: ids.toReversed() }, manager),
    ]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
  });

  test('is fetched again as it was, listed without its content, stored encrypted, recorded', async () => {
    const id = await bank('Maya Okafor');
    const { body } = await create({ format: 'sepa', ids: [id] }, manager);
    const fetched = await app.call(`${STORE}/payouts/files/${body.id}`, { key: admin });
    assert.deepEqual(fetched.body, body);
    const listed = await app.call(`${STORE}/payouts/files`, { key: admin });
    assert.equal(listed.body[0].id, body.id);
    assert.equal(listed.body[0].created_by.id, idOf('manager'));
    assert.doesNotMatch(listed.text, /content/);
    const [item] = (await app.call(`${STORE}/payouts?search=${id}`, { key: admin })).body;
    assert.equal(item.file_id, body.id);
    const stored = query<object, { content: string }>((db) =>
      db.selectFrom('payout_files').select('content'),
    );
    for (const { content } of await app.site.database.read.all(stored, {})) {
      assert.doesNotMatch(content, new RegExp(IBAN));
    }
    const events = await app.call('/events?per_page=100', { key: admin });
    const named = (name: string) => events.body.filter(({ event }: any) => event === name);
    assert.equal(named('payout_file.created')[0].data.file_id, body.id);
    const revealed = named('payout_details.revealed').filter(
      ({ data }: any) => data.payout_id === id,
    );
    assert.deepEqual(revealed.map(({ data }: any) => data.revealed_by).sort(), [
      idOf('admin'),
      idOf('manager'),
    ]);
    assert.doesNotMatch(events.text, new RegExp(IBAN));
    assert.equal((await app.call(`${STORE}/payouts/files/987654`, { key: admin })).status, 404);
  });

  test('needs a recent proof of a session, the scope manage, and the account that pays', async () => {
    const id = await bank('Maya Okafor');
    const session = await app.signIn('manager');
    app.advance(11 * 60_000);
    const json = { format: 'sepa', ids: [id] };
    const stale = await app.call(`${STORE}/payouts/files`, { method: 'POST', session, json });
    assert.equal(refusal(stale), '403 svc_api_proof_required');
    const reader = await app.key('manager', 'read,write');
    assert.equal(refusal(await create(json, reader)), '403 svc_api_insufficient_scope');
    assert.equal((await create(json, payouts.maya)).status, 403);
    for (const [setting, value] of [
      ['payouts.debtor_iban', 'DE00 1234'],
      ['payouts.debtor_bic', 'abc'],
    ] as const) {
      const reply = await app.call(`${STORE}/settings`, {
        method: 'PATCH',
        key: admin,
        json: { [setting]: value },
      });
      assert.equal(reply.status, 400, setting);
    }
    await app.set({ 'payouts.debtor_iban': '' });
    assert.equal(refusal(await create(json)), '409 svc_api_debtor_missing');
  });

  test('a person who is erased is erased from the files', async () => {
    const { body } = await app.call(`${STORE}/payouts/files`, { key: admin });
    const { id } = body.find(({ format }: any) => format === 'paypal');
    const { body: whole } = await app.call(`${STORE}/payouts/files/${id}`, { key: admin });
    const rows = await app.call(`/payouts?user_id=${idOf('maya')}&per_page=100`, { key: admin });
    assert.ok(whole.payout_ids.length > 0);
    for (const row of rows.body) if (row.status === 'pending') await payouts.change(row.id, 'paid');
    const path = `${STORE}/affiliates/${idOf('maya')}/anonymise`;
    const json = { login: 'maya' };
    const erased = await app.call(path, { method: 'POST', key: admin, json });
    assert.equal(erased.status, 200, erased.text);
    const gone = await app.call(`${STORE}/payouts/files/${id}`, { key: admin });
    assert.equal(refusal(gone), '410 svc_api_file_erased');
  });
});

test('SEPA needs EUR', async () => {
  const usd = await openPayoutApp();
  const { id } = await usd.payoutAt('pending');
  const reply = await usd.app.call(`${STORE}/payouts/files`, {
    method: 'POST',
    key: usd.admin,
    json: { format: 'sepa', ids: [id] },
  });
  assert.equal(refusal(reply), '409 svc_api_eur_only');
});

test('text in the characters of SEPA', () => {
  for (const [text, expected] of [
    ['Straße 5, Ærø', 'Strasse 5, AEro'],
    ['A  “B” \u0007C', 'A B C'],
    ['Πέτρος', ''],
    ['x'.repeat(80), 'x'.repeat(70)],
  ] as const) {
    assert.equal(sepaText(text, 70), expected);
  }
});
