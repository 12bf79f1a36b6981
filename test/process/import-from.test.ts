import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { ended, launch, tempFolder } from './launch.ts';
import { checkDatabase, rowsIn, untilNobodyIsConnected } from './look-inside.ts';
import { assertRefused, install, NOT_FOUND, REFUSED, runEach, runJson, USAGE } from './run.ts';

const AFFILIATES = 300;
const SALES = 3_000;

describe('import --from', () => {
  let data: string;
  const folder = tempFolder();
  const people = join(folder, 'affiliates.csv');
  const sales = join(folder, 'commissions.csv');
  const other = join(folder, 'other.csv');
  const importing = (...args: string[]) => ['import', ...args, '--data', data];
  const from = (...args: string[]) =>
    importing('--from', 'rewardful', people, sales, '--file-currency', 'usd', ...args);
  const count = async (table: string, where = 'true') => {
    const [row] = await rowsIn(data, `select count(*) as n from ${table} where ${where}`);
    return Number(row!['n']);
  };

  before(async () => {
    ({ data } = await install());
    const affiliates = Array.from(
      { length: AFFILIATES },
      (_, i) => `P,${i},p${i}@move.example,code${i}\n`,
    );
    writeFileSync(people, `first_name,last_name,email,token\n${affiliates.join('')}`);
    const commissions = Array.from(
      { length: SALES },
      (_, i) => `c${i},p${i % AFFILIATES}@move.example,1.25,USD,due,10\n`,
    );
    writeFileSync(
      sales,
      `Commission ID,Affiliate Email,Amount,Currency,State,Sale Amount\n${commissions.join('')}`,
    );
    writeFileSync(other, 'a,b\n1,2\n');
  });

  test('says what is wrong; a dry run names every line and keeps nothing', async () => {
    const [unknown, missing, currency, none, noFiles, dry] = await runEach([
      { args: importing('--from', 'rewardful', other) },
      { args: importing('--from', 'rewardful', join(folder, 'missing.csv')) },
      { args: from('--file-currency', 'EUR') },
      { args: importing('--undo', '1') },
      { args: importing('--from', 'rewardful') },
      { args: from('--dry-run') },
    ]);
    assertRefused(unknown!, USAGE, /other\.csv is none of the files of Rewardful.*Expected/s);
    assertRefused(missing!, NOT_FOUND, /There is no file/);
    assertRefused(currency!, REFUSED, /The files are in EUR, the store's currency is USD/);
    assertRefused(none!, NOT_FOUND, /There is no import 1\./);
    assertRefused(noFiles!, USAGE, /Name the files that Rewardful has exported/);
    assert.equal(dry!.code, 0, dry!.stderr);
    assert.match(dry!.stdout, /^affiliates\.csv:2 {2}affiliate new: login p0; codes code0/m);
    assert.match(dry!.stdout, /^commissions\.csv:3001 {2}referral new/m);
    assert.match(dry!.stdout, /Opening balances: 3750 USD\./);
    assert.match(dry!.stdout, /settings set attribution\.code_parameters '\["ref","via"\]'/);
    assert.match(dry!.stdout, /nothing was kept/);
    assert.equal((await count('imports')) + (await count('coupons')), 0);
  });

  test('continues after kill -9, each line once; an undo takes all of it back', async () => {
    const child = await launch(from());
    await eventually(async () => assert.ok((await count('import_links')) > 0));
    child.kill('SIGKILL');
    assert.equal((await ended(child)).signal, 'SIGKILL');
    await untilNobodyIsConnected(data);
    assert.equal(await count('imports', `state = 'running'`), 1, 'it was not done yet');
    await checkDatabase(data);

    const report = await runJson(from());
    assert.equal(report.import_id, 1, 'the same import goes on');
    assert.deepEqual([report.read, report.lines], [AFFILIATES + SALES, []]);
    assert.equal(await count('users', `role = 'affiliate'`), AFFILIATES);
    assert.equal(await count('coupons'), AFFILIATES);
    assert.equal(await count('ledger'), AFFILIATES);
    assert.equal(await count('import_history'), SALES);
    const [sum] = await rowsIn(data, 'select sum(unpaid) as owed from coupons');
    assert.equal(Number(sum!['owed']), SALES * 125);

    const [verified, list, undone, again, verifiedAfter] = await runEach([
      { args: ['verify', '--data', data] },
      { args: importing('--list') },
      { args: importing('--undo', '1') },
      { args: importing('--undo', '1') },
      { args: ['verify', '--data', data] },
    ]);
    assert.equal(verified!.code, 0, verified!.stdout);
    assert.match(list!.stdout, /1 +rewardful +done +\S+ +affiliates\.csv, commissions\.csv/);
    assert.match(undone!.stdout, /300 affiliates and 300 coupons removed, 3750 USD taken back/);
    assertRefused(again!, REFUSED, /Import 1 has already been undone/);
    assert.equal(verifiedAfter!.code, 0, verifiedAfter!.stdout);
    assert.equal(await count('users', `role = 'affiliate'`), 0);
    assert.equal(await count('coupons', 'user_id is not null or unpaid <> 0'), 0);
    assert.equal(await count('import_history'), 0);
    await checkDatabase(data);
  });
});
