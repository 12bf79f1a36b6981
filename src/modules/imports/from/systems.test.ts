import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { affiliateSystems } from '../../../shared/affiliate-systems.ts';
import { SiteCalendar } from '../../../shared/dates.ts';
import { Currency } from '../../../shared/money.ts';
import { externalIdOf, owedTo } from './affiliate-groups.ts';
import { instantOf } from './dates.ts';
import { planImport, type Plan } from './plan.ts';
import { readSource } from './read-file.ts';
import { decimalOf } from './row.ts';
import { systems } from './systems.ts';

const samples = new URL('../../../../test/moving/files/', import.meta.url).pathname;
const calendar = new SiteCalendar('Europe/Vienna');
const context = {
  currency: new Currency('USD'),
  calendar,
  nowMs: Date.parse('2026-01-01T00:00:00Z'),
};
const systemOf = (name: string) => systems.find((system) => system.name === name)!;

function planOf(name: string, files: readonly string[]): Plan {
  return planImport(systemOf(name), files.map(readSource), context);
}

/** Affiliates as `id address name state codes owed`, history as `kind id state amount/sale reference day`. */
function summaryOf({ groups, history, lines }: Plan) {
  return {
    affiliates: groups.map((group) => {
      const { email = '', name = '', state = 'mentioned', codes } = group;
      const list = codes.map(({ code }) => code).join('+');
      return [externalIdOf(group), email, name, state, list, owedTo(group) ?? 'none'].join(' | ');
    }),
    history: history.map((one) => {
      const day = one.happenedAt === null ? 'no day' : calendar.dayOf(one.happenedAt);
      const id = /^[0-9a-f]{24}/.test(one.externalId) ? '(digest)' : one.externalId;
      return [one.kind, id, one.state, one.amount, one.sale ?? '', one.reference, day].join(' | ');
    }),
    said: lines.flatMap(({ file, line, messages }) =>
      messages.map((message) => `${file}:${line} ${message}`),
    ),
  };
}

const expected: Record<string, ReturnType<typeof summaryOf>> = {
  affiliatewp: {
    affiliates: [
      '12 | ann@move.example | Ann Lee | active | annlee+12+annlee2+15 | 2750',
      '13 | bo@move.example | Bo "The Bike" Öz | suspended | bo+13 | 0',
      '14 | cy@move.example | Cy Applicant | applicant | cy+14 | none',
    ],
    history: [
      'referral | (digest) | unpaid | 2050 |  | 1001 | 2025-01-09',
      'referral | (digest) | paid | 10000 |  | 1002 | 2025-01-10',
      'referral | (digest) | pending | 1525 |  | 1003 | 2025-01-12',
      'referral | (digest) | unpaid | 700 |  | 1004 | 2025-01-14',
      'referral | (digest) | rejected | 300 |  | 1006 | no day',
      'payout | 3 | paid | 10000 |  | manual | 2025-02-01',
    ],
    said: [
      'affiliates.csv:5 the same affiliate as line 2 of affiliates.csv: joined',
      "referrals.csv:6 is in EUR; the store's currency is USD",
      'referrals.csv:7 the date "01/02/2025" could be several days; it is left out',
    ],
  },
  'coupon-affiliates': {
    affiliates: [
      '7 | dana@move.example | Dana Fox | active | dana10+dana20 | 4510',
      '8 | eli@move.example | Eli Roe | active | eli | 0',
    ],
    history: [
      'referral | 501 dana10 | approved | 1000 | 10000 | 501 | 2025-03-01',
      'referral | 502 dana20 | pending | 12500 | 125000 | 502 | 2025-03-02',
      'referral | 503 eli | rejected | 300 | 3000 | 503 | 2025-03-03',
      'payout | 1 | paid | 7490 |  | banktransfer | 2025-02-03',
      'payout | 2 | failed | 1000 |  | banktransfer | 2025-02-05',
    ],
    said: [],
  },
  rewardful: {
    affiliates: [
      ' | hal@move.example | Hal Orr | active | hal | none',
      'd0ed8392 | fay@move.example | Fay Kim | active | fay+FAY15 | 3000',
      'd0ed8393 | gus@move.example | Gus Ray | suspended | gus | none',
    ],
    history: [
      'referral | c-1 | unpaid | 3000 | 10000 | ch_1 | 2025-01-09',
      'referral | c-2 | paid | 1470 | 4900 | ch_2 | 2024-12-09',
      'payout | p-1 | paid | 1470 |  |  | 2025-01-02',
    ],
    said: [],
  },
  tapfiliate: {
    affiliates: [
      'ivysmith | ivy@move.example | Ivy Smith | active | IVY5+ivysmith | 1105',
      ' | jon@move.example |  | mentioned |  | 0',
    ],
    history: [
      'referral | T-1 | approved | 2000 | 20000 | T-1 | 2025-01-05',
      'referral | T-2 | pending | 500 | 5000 | T-2 | 2025-01-06',
      'referral | T-3 | rejected | 800 | 8000 | T-3 | 2025-01-07',
      'referral | 71 | approved | 605 | 6050 | T-4 | 2025-01-08',
      'payout | 9 | paid | 1500 |  |  | 2025-02-01',
    ],
    said: [],
  },
  firstpromoter: {
    affiliates: [
      '8815216 | kit@move.example | Kit Moss | active | kit+KIT20 | 1000',
      '8815217 | lou@move.example | Lou | applicant | lou | none',
    ],
    history: [
      'referral | 77001 | unpaid | 1000 | 4900 |  | 2025-10-05',
      'referral | 77002 | paid | 101470 | 304900 |  | 2025-10-06',
      'referral | 77003 | rejected | 250 | 900 |  | 2025-10-07',
      'payout | 301 | paid | 101470 |  |  | 2025-11-01',
    ],
    said: [],
  },
  refersion: {
    affiliates: [
      '900 | mia@move.example | Mia Vale | active | 900.a3y7+MIA10 | 1250',
      '901 | ned@move.example | Ned Poe | applicant | 901.b4z8 | none',
    ],
    history: [
      'referral | 1 | unpaid | 1250 | 12500 | R-1 | 2025-03-01',
      'referral | 2 | paid | 800 | 8000 | R-2 | 2025-02-01',
      'payout | 55 | paid | 800 |  |  | 2025-02-15',
    ],
    said: [],
  },
};

describe('the exports of another system', () => {
  for (const name of affiliateSystems) {
    test(`${name}: the sample files`, () => {
      const folder = join(samples, name);
      const files = readdirSync(folder)
        .toSorted()
        .map((file) => join(folder, file));
      assert.deepEqual(summaryOf(planOf(name, files)), expected[name]);
    });
  }
});

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-moving-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const utf16 = (text: string, big: boolean) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return big ? bytes.swap16() : bytes;
  };

  test('is UTF-8 or UTF-16, with commas, semicolons or tabs; columns in any case and order', () => {
    const head = ['STATUS', 'affiliate-id', 'E-Mail', 'e mail', 'Email', 'unpaid earnings'];
    const cells = ['active', '4', '', '', 'zoë@move.example', '1234,50'];
    const lines = (delimiter: string) =>
      `${head.join(delimiter)}\r\n${cells.map((cell) => `"${cell}"`).join(delimiter)}\r\n`;
    const files = [
      write('semicolon.csv', lines(';')),
      write('comma.csv', lines(',').replace('1234,50', '1,234.50')),
      write('tabs.csv', `${lines('\t').replace('1234,50', '1234.5')}\r\n`),
      write('excel.csv', `sep=;\r\n${lines(';')}`),
      write('little.csv', utf16(lines(';'), false)),
      write('big.csv', utf16(lines(';'), true)),
      write('bom.csv', `\ufeff${lines(';')}`),
    ];
    for (const file of files) {
      assert.deepEqual(
        summaryOf(planOf('affiliatewp', [file])),
        {
          affiliates: ['4 | zoë@move.example |  | active | 4 | 123450'],
          history: [],
          said: [],
        },
        file,
      );
    }
  });

  test('that is unknown is refused, with the columns that are expected', () => {
    const orders = write('orders.csv', 'order,total\n1,2\n');
    assert.throws(
      () => planOf('rewardful', [orders]),
      /orders\.csv is none of the files of Rewardful.*order, total.*affiliates: email, first_name, token or links/s,
    );
    const broken = write('latin.csv', Buffer.from([0x61, 0xe4, 0x62, 0x2c, 0x63]));
    assert.throws(() => readSource(broken), /neither UTF-8 nor UTF-16/);
    assert.throws(() => readSource(join(folder, 'missing.csv')), /There is no file/);
    assert.throws(() => readSource(write('half.json', '[{"a": 1')), /is not JSON/);
  });

  test('with invalid lines: each is refused separately, with its number', () => {
    const people = write(
      'people.csv',
      [
        'Affiliate ID,Email,Username,Status',
        '1,no-address,one,active',
        '2,two@move.example,two,dancing',
        '3,three@move.example',
        '4,four@move.example,"fo',
        'ur",active',
        '5,five@move.example,five,active',
      ].join('\n'),
    );
    const sales = write(
      'sales.csv',
      [
        'Affiliate ID,Amount,Reference,Status',
        '5,12.345,A,unpaid',
        '5,much,B,unpaid',
        '5,5.00,C,unpaid',
        '5,5.00,C,unpaid',
      ].join('\n'),
    );
    const { lines, groups } = planOf('affiliatewp', [people, sales]);
    const errors = lines.map(
      ({ file, line, messages }) => `${file}:${line} ${messages.join('; ')}`,
    );
    assert.deepEqual(
      errors.filter((error) => !error.endsWith(' ')),
      [
        'people.csv:2 "no-address" is no email address',
        'people.csv:3 Status "dancing" is not known',
        'people.csv:4 has 2 cells, the first line has 4',
        'people.csv:5 "fo\nur" cannot be a code: at most 50 characters, no spaces',
        'sales.csv:2 12.345 has more decimals than USD has',
        'sales.csv:3 Amount is no amount: "much"',
      ],
    );
    assert.equal(owedTo(groups.find((group) => externalIdOf(group) === '5')!), 1000);
    // The same sales in two exports that overlap are counted once; two that contradict each other are not guessed.
    const later = write(
      'sales-2.csv',
      [
        'Affiliate ID,Amount,Reference,Status',
        '5,5.00,C,paid',
        '5,5.00,C,unpaid',
        '5,1.00,D,unpaid',
      ].join('\n'),
    );
    const again = planOf('affiliatewp', [people, sales, later]);
    assert.equal(owedTo(again.groups.find((group) => externalIdOf(group) === '5')!), 1100);
    assert.deepEqual(
      again.lines.slice(-3).map(({ outcome, messages }) => [outcome, ...messages]),
      [
        ['refused', 'contradicts line 4 of sales.csv: give only the newer file'],
        ['known', 'the same as line 5 of sales.csv'],
        [undefined],
      ],
    );
  });

  test('that says what is approved and not what is paid adds nothing to a balance', () => {
    const folderOf = join(samples, 'tapfiliate');
    const plan = planOf('tapfiliate', [join(folderOf, 'conversions.csv')]);
    const [ivy] = plan.groups;
    assert.deepEqual([owedTo(ivy!), ivy!.unknown, ivy!.pending], [undefined, 2000, 500]);
  });
});

test('amounts are exact, and refused where they could be two', () => {
  const cases: [string, boolean, string | undefined][] = [
    ['12.50', false, '12.50'],
    ['$1,234.50', false, '1234.50'],
    ['1.234,50 €', false, '1234.50'],
    ['1,234', false, '1234'],
    ['12,5', false, '12.5'],
    ['-0.10', false, '-0.10'],
    ['007', false, '7'],
    ['.5', false, '0.5'],
    ["CHF 1'000.00", false, '1000.00'],
    ['1,5', true, '1.5'],
    ['1,234', true, '1.234'],
    ['1.234', true, undefined],
    ['12.50', true, '12.50'],
    ['1.2.3', false, undefined],
    ['1,2,3', false, undefined],
    ['', false, undefined],
    ['1-2', false, undefined],
  ];
  for (const [text, decimalComma, decimal] of cases) {
    assert.equal(decimalOf(text, decimalComma), decimal, text);
  }
});

test('dates are read where they can be only one day', () => {
  const cases: [string, string | undefined][] = [
    ['2025-01-09T23:30:00Z', '2025-01-10T00:30:00'],
    ['2025-01-09 10:00:00', '2025-01-09T10:00:00'],
    ['2025-01-09T10:00:00+0200', '2025-01-09T09:00:00'],
    ['2025/01/09', '2025-01-09T00:00:00'],
    ['January 9, 2025', '2025-01-09T00:00:00'],
    ['9 Jan 2025', '2025-01-09T00:00:00'],
    ['09.01.2025', '2025-01-09T00:00:00'],
    ['31/01/2025', '2025-01-31T00:00:00'],
    ['01/31/2025', '2025-01-31T00:00:00'],
    ['01/02/2025', undefined],
    ['2025-02-30', undefined],
    ['soon', undefined],
  ];
  for (const [text, local] of cases) {
    const instant = instantOf(text, calendar);
    assert.equal(instant === undefined ? undefined : calendar.toLocal(instant), local, text);
  }
});
