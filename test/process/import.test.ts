import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { tempFolder } from './launch.ts';
import { checkDatabase, readDatabase, rowsIn } from './look-inside.ts';
import {
  assertRefused,
  install,
  NOT_FOUND,
  REFUSED,
  run,
  runEach,
  USAGE,
  type Result,
} from './run.ts';

let data: string;
const folder = tempFolder();

function file(name: string, lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const importing = async (...commands: string[][]): Promise<Result[]> =>
  runEach(commands.map((args) => ({ args: ['import', ...args, '--data', data] })));

async function reportOf(...args: string[]) {
  const [{ code, stdout, stderr } = {} as Result] = await importing([...args, '--json']);
  assert.notEqual(stdout, '', stderr);
  const { file: _, ...report } = JSON.parse(stdout);
  return { code, ...report };
}

const rows = (sql: string) => rowsIn(data, sql);
const countOf = async (table: string) =>
  Number((await rows(`select count(*) as n from ${table}`))[0]!['n']);

/** A report without refusals. */
const good = (read: number, made: number) => ({
  code: 0,
  dry_run: false,
  read,
  new: made,
  known: read - made,
  refused: 0,
  errors: [],
  ignored_columns: [],
});

const HEAD = 'order_id,date,status,total,discount,coupon_codes,customer_email,items';

describe('import', () => {
  before(async () => {
    ({ data } = await install());
  });

  test('affiliates, then their coupons, then orders', async () => {
    const people = file('people.csv', [
      'login,email,display_name,coupon_code,website',
      'ann,ann@test.example,Ann Ó Briain,ANN10,https://ann.example',
      'ben,ben@test.example,"Ben, the second",,',
    ]);
    const codes = file('codes.ndjson', [
      '{"code": "BEN10", "user": "ben@test.example", "percent_override": "12.5"}',
      '',
      '{"code": "UNASSIGNED"}',
    ]);
    const orders = file('orders.csv', [
      HEAD,
      '1,2026-03-01T12:00:00,completed,100,,ANN10 ben10,eve@test.example,',
      '2,2026-03-01T12:00:00Z,completed,80,,ann10|BEN10,,',
      '3,2026-03-02,processing,50,5,,,"[{""product_id"": 7, ""quantity"": 1,',
      ' ""subtotal"": 55, ""total"": 50}]"',
    ]);
    assert.deepEqual(await reportOf('affiliates', people), good(2, 2));
    assert.deepEqual(await reportOf('coupons', codes), good(2, 2));
    assert.deepEqual(await reportOf('orders', orders), good(3, 3));
    assert.deepEqual(await rows('select login, display_name from users where id > 1 order by id'), [
      { login: 'ann', display_name: 'Ann Ó Briain' },
      { login: 'ben', display_name: 'Ben, the second' },
    ]);
    assert.deepEqual(
      await rows(
        'select order_id, code, commission from referrals join coupons on id = coupon_id order by order_id, coupon_id',
      ),
      [
        { order_id: 1, code: 'ANN10', commission: 1000 },
        { order_id: 1, code: 'BEN10', commission: 1250 },
        { order_id: 2, code: 'ANN10', commission: 800 },
        { order_id: 2, code: 'BEN10', commission: 1000 },
      ],
    );
    const links = file('links.csv', [
      'order_id,date,status,total,referral_code,visitor',
      '4,2026-03-03,completed,40,ann10,4711',
    ]);
    const linkLines = file('links.ndjson', [
      '{"order_id": 5, "date": "2026-03-03", "status": "completed", "total": 20, "referral_code": "BEN10", "visitor": "v"}',
    ]);
    assert.deepEqual(await reportOf('orders', links), good(1, 1));
    assert.deepEqual(await reportOf('orders', linkLines), good(1, 1));
    assert.deepEqual(
      await rows(
        'select code, via, credited_by, commission from referrals join coupons on id = coupon_id where order_id in (4, 5) order by order_id',
      ),
      [
        { code: 'ANN10', via: 'link', credited_by: 'referral_code', commission: 400 },
        { code: 'BEN10', via: 'link', credited_by: 'referral_code', commission: 250 },
      ],
    );
    const events = await countOf('events');
    assert.deepEqual(await reportOf('orders', links), good(1, 0));
    assert.deepEqual(await reportOf('affiliates', people), good(2, 0));
    assert.deepEqual(await reportOf('coupons', codes), good(2, 0));
    assert.deepEqual(await reportOf('orders', orders), good(3, 0));
    assert.equal(await countOf('events'), events, 'the same again changes nothing');
    await checkDatabase(data);
  });

  test('unknown fields and NUL are refused as the API refuses them', async () => {
    const codes = file('odd.ndjson', [
      '{"code": "ODD1", "percent": 5}',
      '{"code": "ODD\\u0000"}',
      '{"code": "ODD3"}',
    ]);
    const { errors, refused, new: added } = await reportOf('coupons', codes);
    assert.deepEqual([refused, added], [2, 1]);
    assert.deepEqual(
      errors.map(({ message }: { message: string }) => message),
      ['percent Unknown field.', 'code must not hold NUL or broken characters'],
    );
    const people = file('odd.csv', ['login,email', 'nul,nu\0l@test.example']);
    assert.match((await reportOf('affiliates', people)).errors[0].message, /^email .*NUL/);
  });

  test('a faulty line is named and skipped, the rest is kept; a dry run says the same', async () => {
    const orders = file('faulty.csv', [
      `${HEAD},colour`,
      '11,2026-03-01T12:00:00,completed,100,,ANN10,,,red',
      '12,2026-03-01T12:00:00,completed,a lot,,,,,',
      '13,2026-02-30T12:00:00,complete,100,,,,,',
      '',
      '14,2026-03-01T12:00:00,completed',
      '15,2026-03-01T12:00:00,completed,12.345,,,,,',
      '16,2026-03-01T12:00:00,completed,10,,,,{not json,',
      '17,2026-03-01T12:00:00,completed,20,,,,,',
      '18,2026-03-01T12:00:00,completed,"30,,,,,',
    ]);
    const earlier = [await countOf('orders'), await countOf('events')];
    const dry = await reportOf('orders', orders, '--dry-run');
    assert.deepEqual(
      [await countOf('orders'), await countOf('events')],
      earlier,
      'nothing is kept',
    );
    const wet = await reportOf('orders', orders);
    assert.deepEqual(dry, { ...wet, dry_run: true });
    const { errors, ...figures } = wet;
    assert.deepEqual(figures, {
      code: REFUSED,
      dry_run: false,
      read: 8,
      new: 2,
      known: 0,
      refused: 6,
      ignored_columns: ['colour'],
    });
    assert.deepEqual(
      errors.map(({ line, message }: { line: number; message: string }) => [
        line,
        message.split(' ')[0],
      ]),
      [
        [3, 'total'],
        [4, 'status'],
        [6, 'has'],
        [7, 'total'],
        [8, 'items'],
        [10, 'a'],
      ],
    );
    assert.match(errors[1].message, /^status .+; date must/, 'every faulty field of a line');
    assert.deepEqual(
      await rows('select order_id from orders where order_id > 10 order by order_id'),
      [{ order_id: 11 }, { order_id: 17 }],
    );
  });

  test('of two lines for the same thing the first counts, in a dry run too', async () => {
    const people = file('twice.csv', [
      'login,email',
      'cyd,cyd@test.example',
      'CYD,cyd@test.example',
      'cyd,other@test.example',
    ]);
    const codes = file('twice.ndjson', [
      '{"code": "TWICE", "user": "ann"}',
      '{"code": "twice", "user": "ann@test.example"}',
      '{"code": "TWICE", "user": "ben"}',
      '{"code": "TWICE", "user": "ghost"}',
      'not json',
      '7',
    ]);
    const users = await countOf('users');
    for (const flags of [['--dry-run'], []]) {
      const { code, new: made, known, errors } = await reportOf('affiliates', people, ...flags);
      assert.deepEqual([code, made, known], [REFUSED, 1, 1]);
      assert.deepEqual(
        errors.map((error: { line: number }) => error.line),
        [4],
      );
      const coupons = await reportOf('coupons', codes, ...flags);
      assert.deepEqual([coupons.new, coupons.known], [2, 1]);
      assert.deepEqual(
        coupons.errors.map((error: { line: number }) => error.line),
        [4, 5, 6],
      );
    }
    assert.equal(await countOf('users'), users + 1);
  });

  test('in words: the figures, and the first twenty reasons', async () => {
    const lines = Array.from({ length: 25 }, (_, i) => `{"order_id": ${i + 1}}`);
    const [{ code, stdout, stderr } = {} as Result] = await importing([
      'orders',
      file('poor.ndjson', lines),
    ]);
    assert.equal(code, REFUSED);
    assert.match(stdout, /^25 lines read: 0 new, 0 known already, 25 refused\.$/m);
    assert.match(stdout, /^ {2}line 20: Missing parameter\(s\): date, status, total$/m);
    assert.match(stdout, /^ {2}… and 5 more$/m);
    assert.doesNotMatch(stdout, /line 21:/);
    assert.equal(stderr, 'tributary: 25 lines refused.\n', 'no progress bar without a terminal');
  });

  test('more lines than go into one batch, with a fault in between', async () => {
    const lines = Array.from({ length: 1_700 }, (_, i) =>
      JSON.stringify({
        order_id: 5_000 + i,
        date: '2026-04-01',
        status: 'completed',
        total: i === 1_203 ? -1 : 10,
        coupon_codes: ['ANN10'],
      }),
    );
    const report = await reportOf('orders', file('many.ndjson', lines));
    assert.deepEqual([report.read, report.new, report.refused], [1_700, 1_699, 1]);
    assert.deepEqual(report.errors, [{ line: 1_204, message: 'total must be >= 0, not -1' }]);
    const { code, stdout } = await run(['verify', '--data', data]);
    assert.equal(code, 0, stdout);
  });

  test('a quote that is never closed does not take the file into memory', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `${i + 1},2026-04-01,completed,10`);
    lines[1] = '2,"2026-04-01,completed,10';
    const path = file('open-quote.csv', ['order_id,date,status,total', ...lines]);
    const { read, errors } = await reportOf('orders', path, '--dry-run');
    assert.equal(read, 2);
    assert.deepEqual(errors, [
      { line: 3, message: 'a quote is not closed; nothing from this line on could be read' },
    ]);
  });

  test('what is no file, or one of another kind', async () => {
    mkdirSync(join(folder, 'a-folder.csv'));
    const [missing, aFolder, other, unknown] = await importing(
      ['orders', join(folder, 'none.csv')],
      ['orders', join(folder, 'a-folder.csv')],
      ['orders', file('orders.xlsx', [])],
      ['order', file('orders.csv', [])],
    );
    assertRefused(missing!, NOT_FOUND, /no file .*none\.csv/);
    assertRefused(aFolder!, NOT_FOUND, /no file .*a-folder\.csv/);
    assertRefused(other!, USAGE, /must end in \.csv or \.ndjson/);
    assertRefused(unknown!, USAGE, /Did you mean orders\?/);
  });
});

describe('generate', () => {
  test('the same store every time, whose balances agree with its ledger', async () => {
    const folders = [tempFolder(), tempFolder()].map((each) => join(each, 'data'));
    const figures = [];
    for (const [i, each] of folders.entries()) {
      const size = ['--orders', '1500', '--coupons', '12', '--days', '30'];
      const [made, again, verified] = await runEach([
        { args: ['generate', ...size, '--data', each, ...(i === 0 ? ['--json'] : [])] },
        { args: ['generate', '--orders', '5', '--data', each] },
        { args: ['verify', '--data', each] },
      ]);
      if (i === 0) assert.partialDeepStrictEqual(JSON.parse(made!.stdout), { orders: 1500 });
      else assert.match(made!.stdout, /^1500 orders with 12 coupons .* \d+ orders a second\.$/m);
      assertRefused(again!, REFUSED, /There are orders already.*--add/);
      assert.equal(verified!.code, 0, verified!.stdout);
      figures.push(
        await readDatabase(each, async (select) => [
          ...(await select('select count(*) as n, sum(total) as total from orders')),
          ...(await select('select code, orders_count, unpaid, awaiting from coupons order by id')),
        ]),
      );
    }
    assert.deepEqual(figures[0], figures[1]);
    assert.equal((figures[0]![0] as { n: number }).n, 1500);
  });

  test('a number that is none', async () => {
    const commands = [['--orders', 'many'], ['--orders', '0'], []];
    const results = await runEach(commands.map((args) => ({ args: ['generate', ...args] })));
    for (const result of results) assertRefused(result, USAGE, /whole number|required option/);
  });
});
