import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { readAmount } from './match-results.ts';

const payouts = await openPayoutApp();
const { app, admin } = payouts;
const manager = await app.key('manager', 'read,write');

const send = (format: string, content: string, more: object = {}, key = admin) =>
  app.call(`${STORE}/payouts/results`, {
    method: 'POST',
    key,
    json: { format, content, ...more },
  });
const statusOf = async (id: number) => (await payouts.get(id)).status;

async function open(count: number): Promise<number[]> {
  const made = [];
  for (let i = 0; i < count; i++) made.push((await payouts.payoutAt('created', 10 + i)).id);
  return made;
}

describe('POST /payouts/results', () => {
  test('our own CSV, after a dry run: all that were paid become paid, with their references', async () => {
    const [first, second, third] = await open(3);
    const content =
      'payout_id;amount;outcome;transaction_id\r\n' +
      `${first};10,00;paid;FT-1\r\nPAYOUT-${second};11;PAID;\r\n${third};12.00;returned;FT-3\r\n`;
    const tried = await send('csv', content, { dry_run: true });
    assert.equal(tried.status, 200, tried.text);
    assert.deepEqual(
      [tried.body.applied, tried.body.matched.length, tried.body.total],
      [false, 2, 21],
    );
    assert.equal(await statusOf(first!), 'created');
    const { body } = await send('csv', content);
    assert.equal(body.applied, true);
    assert.deepEqual(
      body.matched.map(({ payout_id, status, transaction_id }: any) => [
        payout_id,
        status,
        transaction_id,
      ]),
      [
        [first, 'paid', 'FT-1'],
        [second, 'paid', ''],
      ],
    );
    assert.deepEqual(
      body.unpaid.map(({ payout_id, outcome }: any) => [payout_id, outcome]),
      [[third, 'returned']],
    );
    assert.equal((await payouts.get(first!)).transaction_id, 'FT-1');
    assert.equal(await statusOf(third!), 'created');
    await payouts.assertClean();
  });

  test('the reports of PayPal and Wise', async () => {
    const [first, second] = await open(2);
    const paypal =
      '\ufeff"Transaction ID","Recipient","Amount","Currency","Customer ID","Status"\n' +
      `"8MC585209K746392H","a@b.example","-10.00","USD","PAYOUT-${first}","Completed"\n`;
    const { body } = await send('paypal', paypal);
    assert.deepEqual([body.applied, body.matched[0].transaction_id], [true, '8MC585209K746392H']);
    const wise =
      'ID,Status,Target amount,Target currency,Reference\n' +
      `5501,outgoing_payment_sent,11.00,USD,PAYOUT-${second}\n`;
    assert.equal((await send('wise', wise)).body.applied, true);
    assert.deepEqual([await statusOf(first!), await statusOf(second!)], ['paid', 'paid']);
  });

  test('statements and status reports of a bank: only transactions with our references count', async () => {
    const [first, second, third, fourth] = await open(4);
    const entry = (id: string, amount: string, more: string) =>
      `<Ntry><Amt Ccy="USD">${amount}</Amt>${more}<NtryDtls><TxDtls><Refs><AcctSvcrRef>B-${id}</AcctSvcrRef>` +
      `<EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="USD">${amount}</Amt></TxDtls></NtryDtls></Ntry>`;
    const booked = '<CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>';
    const camt =
      '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>' +
      entry(`PAYOUT-${first}`, '10.00', booked) +
      entry('RENT', '900.00', booked) +
      entry(`PAYOUT-${second}`, '11.00', '<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>') +
      '</Stmt></BkToCstmrStmt></Document>';
    const { body } = await send('sepa', camt);
    assert.equal(body.applied, true);
    assert.deepEqual(
      [body.matched, body.unpaid].map(([line]) => [line.payout_id, line.outcome]),
      [
        [first, 'booked'],
        [second, 'returned'],
      ],
    );
    assert.equal((await payouts.get(first!)).transaction_id, `B-PAYOUT-${first}`);
    const status = (id: number, code: string, amount: string) =>
      `<p:TxInfAndSts><p:OrgnlEndToEndId>PAYOUT-${id}</p:OrgnlEndToEndId><p:TxSts>${code}</p:TxSts><p:OrgnlTxRef>` +
      `<p:Amt><p:InstdAmt Ccy="USD">${amount}</p:InstdAmt></p:Amt></p:OrgnlTxRef></p:TxInfAndSts>`;
    const pain =
      '<p:Document xmlns:p="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><p:CstmrPmtStsRpt><p:OrgnlPmtInfAndSts>' +
      status(third!, 'ACSC', '12.00') +
      status(fourth!, 'RJCT', '13.00') +
      '</p:OrgnlPmtInfAndSts></p:CstmrPmtStsRpt></p:Document>';
    assert.equal((await send('sepa', pain)).body.applied, true);
    assert.deepEqual([await statusOf(third!), await statusOf(fourth!)], ['paid', 'created']);
    for (const content of ['<a>', '<!DOCTYPE a><a/>', '<a/>', camt.replace('</Stmt>', '')]) {
      assert.equal((await send('sepa', content)).status, 400, content.slice(0, 40));
    }
  });

  test('any mismatch: all are listed, and nothing changes', async () => {
    const [right, other, currency] = await open(3);
    const { id: paid } = await payouts.payoutAt('paid', 20);
    const { id: cancelled } = await payouts.payoutAt('cancel', 30);
    const { body } = await send(
      'csv',
      'payout_id,amount,outcome,currency\n' +
        `${right},10,paid,USD\n${right},10,paid,USD\n${other},11.50,paid,USD\n${currency},12,paid,EUR\n` +
        `987654,1,paid,USD\nINVOICE-7,1,paid,USD\n${paid},20,paid,USD\n${cancelled},30,paid,USD\n`,
    );
    assert.equal(body.applied, false);
    assert.deepEqual(
      body.mismatches.map(({ line, payout_id, code }: any) => [line, payout_id, code]),
      [
        [2, right, 'double'],
        [3, other, 'amount'],
        [4, currency, 'currency'],
        [5, null, 'unknown'],
        [6, null, 'unknown'],
        [7, paid, 'already_paid'],
        [8, cancelled, 'state'],
      ],
    );
    assert.equal(await statusOf(right!), 'created');
    const [, amounts, , unknown] = body.mismatches;
    assert.deepEqual([amounts.name, amounts.amount, amounts.found], ['maya', 11, 11.5]);
    assert.deepEqual([unknown.name, unknown.amount, unknown.found], [null, null, 1]);
    assert.equal(body.matched[0].name, 'maya');
  });

  test('what matches can be accepted although other lines do not match', async () => {
    const [right, other] = await open(2);
    const content = `payout_id,amount,outcome\n${right},10,paid\n${other},11.50,paid\n`;
    const more = { only_matching: true };
    const tried = await send('csv', content, { ...more, dry_run: true });
    assert.equal(tried.body.applied, false);
    const { body } = await send('csv', content, more);
    assert.deepEqual([body.applied, body.matched.length, body.mismatches.length], [true, 1, 1]);
    assert.deepEqual([await statusOf(right!), await statusOf(other!)], ['paid', 'created']);
    await payouts.assertClean();
  });

  test('the same file sent twice concurrently is applied once, completely', async () => {
    const ids = await open(6);
    const lines = ids.map((id, i) => `${id},${10 + i},paid`);
    const since = (await payouts.events(0)).length;
    const replies = await Promise.all([
      send('csv', ['payout_id,amount,outcome', ...lines].join('\n')),
      send('csv', ['payout_id,amount,outcome', ...lines.toReversed()].join('\n'), {}, manager),
    ]);
    assert.deepEqual(replies.map(({ body }) => body.applied).sort(), [false, true]);
    const lost = replies.find(({ body }) => !body.applied)!.body;
    assert.equal(lost.mismatches.length, 6);
    const paid = (await payouts.events(0)).slice(since);
    assert.deepEqual(paid.map(({ data }) => data.payout_id).sort(), ids.toSorted());
    await payouts.assertClean();
  });

  test('refuses what is no such file', async () => {
    for (const content of [
      'payout_id,amount\n1,2',
      'payout_id,amount,outcome',
      '"payout_id,amount',
      `payout_id,amount,outcome\n${'1,2,paid\n'.repeat(501)}`,
    ]) {
      const reply = await send('csv', content);
      assert.equal(reply.status, 400, content.slice(0, 40));
      assert.deepEqual(Object.keys(reply.body.data.params), ['content']);
    }
    assert.equal((await send('csv', 'x', {}, payouts.maya)).status, 403);
  });
});

test('amounts as banks write them', () => {
  for (const [text, decimals, minor] of [
    ['12.5', 2, 1250],
    ['1,234.50', 2, 123_450],
    ['1.234,50', 2, 123_450],
    ['1 234,50 €', 2, 123_450],
    ['-12.50 USD', 2, 1250],
    ['1,234', 2, 123_400],
    ['100', 0, 100],
    ['12.500', 2, 1_250_000],
    ['12.345', 3, 12_345],
    ['1.234.567', 2, 123_456_700],
    ['12,345.678,9', 2, undefined],
    ['1.2.3', 2, undefined],
    ['', 2, undefined],
    ['abc', 2, undefined],
  ] as const) {
    assert.equal(readAmount(text, decimals), minor, text);
  }
});
