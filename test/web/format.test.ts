import './browser-globals.ts';
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { TributaryError } from '../../sdk/src/index.ts';
import { formatMoney as moneyInMails } from '../../src/modules/mail/index.ts';
import { writerIn } from '../../src/modules/rewards/sentence-parts.ts';
import { languages } from '../../src/shared/languages.ts';
import { Currency } from '../../src/shared/money.ts';
import errorWords from '../../texts/en/errors.json' with { type: 'json' };
import { limitOf } from '../../web/error-words.ts';
import * as format from '../../web/format.ts';
import * as rendered from '../../web/public/format.ts';
import { reloadProgram } from '../../web/session.ts';
import { formatNumber, useWords } from '../../web/words.ts';

const DAY_MS = 86_400_000;
const dayIn = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now());

before(async () => {
  const program = { currency: 'JPY', currency_decimals: 0, timezone: 'Pacific/Kiritimati' };
  globalThis.fetch = () => Promise.resolve(Response.json(program));
  await reloadProgram();
  useWords('en', {}, { affiliateWord: 'affiliate' });
});

describe('amounts', () => {
  test('have the currency and the decimals of the store, or those of another currency', () => {
    assert.equal(format.formatMoney(1234), '¥1,234');
    assert.equal(format.formatMoney(12.5, 'EUR'), '€12.50');
    assert.equal(format.formatWholeMoney(20_000), '¥20,000');
  });

  test('follow the language of the page', () => {
    useWords('de', {}, { affiliateWord: 'affiliate' });
    assert.equal(format.formatMoney(1234.5, 'EUR'), '1.234,50\u00A0€');
    useWords('en', {}, { affiliateWord: 'affiliate' });
  });

  test('shares and changes are percentages', () => {
    assert.equal(format.formatPercent(0.1234), '12.3%');
    assert.equal(format.formatPercent(0.1234, 0), '12%');
    assert.equal(format.formatChange(0.5), '+50%');
    assert.equal(format.formatChange(0), '0%');
  });
});

describe('one spelling on a page: the service, the pages it renders and the browser write alike', () => {
  const currency = new Currency('EUR');
  for (const language of languages) {
    test(language, () => {
      useWords(language, {}, { affiliateWord: 'affiliate' });
      const server = writerIn(language);
      for (const amount of [0, 9.5, 1000, 12_345.67]) {
        const written = server.money({ currency }, amount);
        assert.equal(format.formatMoney(amount, 'EUR'), written);
        assert.equal(rendered.formatMoney(amount, 'EUR'), written);
        const minor = currency.toMinor(amount)!;
        assert.equal(moneyInMails({ currency }, language, minor), written);
      }
      for (const percent of [10, 12.5, 12.375, 100]) {
        const written = server.percent(percent);
        assert.equal(format.formatRate(percent), written);
        assert.equal(rendered.formatPercent(percent), written);
      }
      for (const day of ['2020-11-30', '2020-03-01']) {
        assert.equal(format.formatDate(day, 'day'), server.day(day));
        assert.equal(rendered.formatDay(`${day}T10:00:00`), server.day(day));
      }
      assert.equal(server.number(1234.5), formatNumber(1234.5));
      assert.equal(rendered.joinWords(['a', 'b', 'c']), server.list(['a', 'b', 'c'], 'and'));
      useWords('en', {}, { affiliateWord: 'affiliate' });
    });
  }
});

describe('sizes of files', () => {
  const said = (language: Parameters<typeof useWords>[0], bytes: number) => {
    useWords(language, { errors: errorWords }, { affiliateWord: 'affiliate' });
    const data = { status: 400, bytes_max: bytes };
    const facts = { status: 400, data, requestId: undefined, retryAfter: undefined };
    return limitOf(new TributaryError('rest_invalid_param', '', facts))?.replaceAll(/\s/g, ' ');
  };

  test('are named in the language of the page, also where the service refuses a larger file', () => {
    assert.equal(format.formatBytes(1), '1 kB');
    assert.equal(format.formatBytes(256_000), '256 kB');
    assert.equal(said('en', 5_000_000), 'This is too large: at most 5 MB can be sent.');
    assert.equal(said('fr', 25_000_000), 'This is too large: at most 25 Mo can be sent.');
    assert.equal(said('de', 1_500_000), 'This is too large: at most 1,5 MB can be sent.');
    useWords('en', {}, { affiliateWord: 'affiliate' });
  });
});

describe('dates', () => {
  test('today is the day of the store, not of the reader', () => {
    assert.equal(format.storeToday(), dayIn('Pacific/Kiritimati'));
    assert.ok(format.isToday(`${format.storeToday()}T23:59:59`));
    const days = Date.parse(format.storeToday()) - Date.parse(format.daysAgo(400));
    assert.equal(days, 400 * DAY_MS);
  });

  test('a local time is shown as it is', () => {
    assert.equal(
      format.formatDate('2020-03-01T23:30:00', 'clock').replaceAll(/\s/g, ' '),
      '11:30 PM',
    );
    assert.equal(format.formatDate('2020-03-01', 'short'), 'Mar 1, 2020');
    assert.match(format.formatDate('2020-03-01', 'exact'), /^Sunday, March 1, 2020$/);
    assert.equal(format.formatDate(`${format.storeToday().slice(0, 4)}-03-01`, 'day'), 'March 1');
  });

  test('near days are relative, others are dates', () => {
    assert.equal(format.formatRelative(format.storeToday()), 'today');
    assert.equal(format.formatRelative(format.daysAgo(1)), 'yesterday');
    assert.equal(format.formatRelative(format.daysAgo(6)), '6 days ago');
    assert.equal(
      format.formatRelative(format.daysAgo(7)),
      format.formatDate(format.daysAgo(7), 'short'),
    );
  });
});
