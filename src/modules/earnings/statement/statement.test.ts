import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf } from '../../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../../test/support/payouts.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { languages } from '../../../shared/languages.ts';
import { Currency } from '../../../shared/money.ts';
import { post } from '../../ledger/index.ts';
import { toPdf, isCovered } from './statement-pdf.ts';
import type { StatementLine } from './statement.ts';

const payouts = await openPayoutApp({ config: { timezone: 'Europe/Berlin' } });
const { app, admin, maya } = payouts;
const path = `${STORE}/affiliates/${idOf('maya')}/statement`;
const today = () => app.site.calendar.dayOf(app.site.clock());

describe('GET /affiliates/{id}/statement', () => {
  test('the lines of all coupons, with what is owed after each', async () => {
    const first = today();
    const { id, coupon_id } = await payouts.payoutAt('paid', 50);
    const other = await payouts.coupon(7.25);
    app.advance(2 * DAY_MS);
    await payouts.earn(other, -2);
    await payouts.change(id, 'cancel');

    const { body } = await app.call(`${path}?from=${first}&to=${today()}`, { key: maya });
    const codes = await Promise.all(
      [coupon_id, other].map(
        async (coupon) => (await app.call(`/coupons/${coupon}`, { key: admin })).body.code,
      ),
    );
    assert.deepEqual(
      body.lines.map((line: any) => Object.values(line).slice(1)),
      [
        ['adjustment', null, null, codes[0], 'Test', 50, 50],
        ['payout', null, id, codes[0], '', -50, 0],
        ['adjustment', null, null, codes[1], 'Test', 7.25, 7.25],
        ['adjustment', null, null, codes[1], 'Test', -2, 5.25],
        ['payout_returned', null, id, codes[0], '', 50, 55.25],
      ],
    );
    assert.deepEqual([body.opening, body.closing], [0, 55.25]);
    assert.deepEqual(body.totals, {
      commission: 0,
      commission_removed: 0,
      bonus: 0,
      adjustment: 55.25,
      payout: -50,
      payout_returned: 50,
      hand_over: 0,
    });
    const later = (await app.call(`${path}?from=${today()}`, { key: maya })).body;
    assert.deepEqual([later.opening, later.lines.length, later.closing], [7.25, 2, 55.25]);
    const before = (await app.call(`${path}?from=2020-01-01&to=2020-12-31`, { key: maya })).body;
    assert.deepEqual([before.opening, before.lines, before.closing], [0, [], 0]);
  });

  test('the current month by default; nothing without a coupon', async () => {
    const month = (await app.call(path, { key: maya })).body;
    assert.deepEqual([month.from, month.to], [`${today().slice(0, 7)}-01`, today()]);
    const tomas = await app.key('tomas', 'read');
    const own = `${STORE}/affiliates/${idOf('tomas')}/statement`;
    const { body } = await app.call(own, { key: tomas });
    assert.deepEqual([body.opening, body.lines, body.closing], [0, [], 0]);
    for (const file of ['', '.csv', '.pdf']) {
      assert.equal((await app.call(path + file, { key: tomas })).status, 404);
      assert.equal((await app.call(own + file, { key: tomas })).status, 200);
    }
  });

  test('400 for more than 2,000 lines; the CSV file has them all', async () => {
    const coupon = await payouts.coupon(0);
    await app.site.database.transaction(async (tx) => {
      for (let i = 0; i < 2_001; i++) {
        post(tx, {
          couponId: coupon,
          ownerId: idOf('maya'),
          from: 'earned',
          to: 'unpaid',
          amount: 1,
          kind: 'adjustment',
          orderId: null,
          userId: 1,
          note: 'Many',
          nowMs: app.site.clock(),
        });
      }
    });
    for (const file of ['', '.pdf']) {
      const { status, body } = await app.call(`${path}${file}`, { key: maya });
      assert.deepEqual([status, Object.keys(body.data.params)], [400, ['from']]);
    }
    const { text } = await app.call(`${path}.csv`, { key: maya });
    const records = text.trimEnd().split('\r\n');
    assert.equal(records.filter((record) => record.includes('Many')).length, 2_001);
    assert.match(records.at(-1)!, /,75.26,USD$/);
  });
});

const line: StatementLine = {
  id: 1,
  at: Date.UTC(2026, 0, 20, 12),
  kind: 'commission',
  order_id: 1042,
  payout_id: null,
  coupon_code: 'MAYA10',
  reason: '',
  amount: 1250,
  balance: 1250,
};

describe('the PDF file', () => {
  test('takes little time of the thread that answers requests, also the first one', async () => {
    const before = process.threadCpuUsage();
    const reply = await app.call(`${path}.pdf?from=2020-01-01&to=2020-01-31`, { key: maya });
    const { user, system } = process.threadCpuUsage(before);
    assert.equal(reply.status, 200);
    assert.ok(user + system < 80_000, `${(user + system) / 1000} ms`);
  });

  test('has pages, its own fonts and the language of the affiliate', async () => {
    for (const language of languages) {
      const bytes = await toPdf({
        store: 'Łódź & Söhne',
        affiliate: { name: 'Ayşe Дмитрий 山田', login: 'ayse', email: 'ayse@test.example' },
        period: { from: '2026-01-01', to: '2026-01-31' },
        opening: 0,
        closing: 1250,
        lines: Array.from({ length: 100 }, () => line),
        language,
        currency: new Currency('EUR'),
        timeZone: 'Europe/Berlin',
      });
      const text = Buffer.from(bytes).toString('latin1');
      assert.ok(text.startsWith('%PDF-1.'));
      assert.ok(text.includes(`/Lang (${language})`));
      assert.equal(text.match(/\/Type \/Page\b/g)!.length, 3);
      assert.ok(!text.includes('Helvetica'));
      assert.match(text, /\/BaseFont \/[A-Z]{6}\+NotoSans-Regular/);
      assert.ok(bytes.length < 60_000, String(bytes.length));
    }
  });

  test('over HTTP', async () => {
    const { headers, text } = await app.call(`${path}.pdf?from=2020-01-01&to=2020-01-31`, {
      key: maya,
    });
    assert.equal(headers.get('content-type'), 'application/pdf');
    const name = 'attachment; filename="statement-2020-01-01-2020-01-31.pdf"';
    assert.equal(headers.get('content-disposition'), name);
    assert.ok(text.startsWith('%PDF-1.'));
  });

  test('the fonts have letters of Latin, Greek and Cyrillic scripts', () => {
    assert.ok(isCovered('Łukasz Şahin Đặng Дмитрий Ελλάδα €1 “–”'));
    assert.ok(!isCovered('山田'));
    assert.ok(!isCovered('محمد'));
  });
});
