import { DatabaseSync } from 'node:sqlite';
import { openRequest } from '../src/addons/payouts/open-request.ts';
import { dataFolder } from '../src/data-folder.ts';
import { copyOf, type Dataset } from './dataset.ts';
import { each, load } from './load.ts';
import { measureRead, median, print, printHead, row } from './measure.ts';
import { isWanted, options } from './options.ts';
import { RawWriter, recordStatements } from './raw-writes.ts';
import { get, requestBytes } from './request.ts';
import { startService } from './service.ts';

const REQUESTS_A_ROUND = 1_000;
const WRITERS = 32;
const LISTED = 1_000_000;

/** Requests against the same statements without the service, and the list of a million payouts. */
export async function measurePayouts(dataset: Dataset): Promise<void> {
  if (isWanted('POST /payouts')) await measureRequests(dataset);
  if (isWanted('GET /payouts')) await measureList(dataset);
}

async function measureRequests(dataset: Dataset): Promise<void> {
  const [forService, forRaw] = [copyOf(dataset), copyOf(dataset)];
  const coupons = Array.from(
    { length: (options.rounds + 1) * REQUESTS_A_ROUND },
    (_, i) => i + 50_001,
  );
  for (const { data } of [forService, forRaw]) {
    change(data, `update coupons set unpaid = 1000 where id > 50000`);
    change(data, `insert into settings values ('payouts.details_required', 'false', 0)`);
  }
  const recorded = await recordStatements(forRaw.data, coupons, (tx, site, id) =>
    openRequest(tx, site, id, { byAdmin: true, actorId: 1, nowMs: Date.now() }),
  );
  const service = await startService(forService.data);
  const raw = new RawWriter(forRaw.data);
  const rounds: { perSecond: number; floor: number; p50Ms: number; p99Ms: number }[] = [];
  for (let i = 0; i <= options.rounds; i++) {
    const [from, to] = [i * REQUESTS_A_ROUND, (i + 1) * REQUESTS_A_ROUND];
    const requests = coupons
      .slice(from, to)
      .map((id) =>
        requestBytes(dataset.token, 'POST', '/svc/v2/payouts', JSON.stringify({ coupon_id: id })),
      );
    const result = await load(service.port, each(requests), WRITERS);
    rounds.push({ ...result, floor: raw.write(recorded.slice(from, to), WRITERS, true) });
  }
  await service.stop();
  raw.close();
  for (const copy of [forService, forRaw]) copy.remove();
  const of = (key: keyof (typeof rounds)[number]) => median(rounds.slice(1).map((r) => r[key]));
  printHead('payouts a second; floor: the same statements by the driver alone');
  print({
    name: `POST /payouts, ${WRITERS} connections`,
    perSecond: of('perSecond'),
    floor: of('floor'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    target: 0.5,
  });
}

async function measureList(dataset: Dataset): Promise<void> {
  const copy = copyOf(dataset);
  change(
    copy.data,
    `insert into payouts (coupon_id, user_id, amount, method_type, method, status, transaction_id,
      invoice_id, requested_at, requested_day, nonce, asks, leased_until)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LISTED})
    select 1 + i % 100000, 2 + i % 4000, 100 + i % 900, 'banktransfer', 'Bank transfer',
      case i % 3 when 0 then 'paid' when 1 then 'cancel' else 'pending' end, '', 0, i * 60000,
      date('2020-01-01', '+' || (i * 2000 / ${LISTED}) || ' days'), '', 0, 0 from n`,
    `insert into payout_days (basis, day, status, payouts, amount)
    select 'requested', requested_day, status, count(*), sum(amount) from payouts
    group by requested_day, status`,
  );
  const service = await startService(copy.data);
  printHead(`${LISTED.toLocaleString('en')} payouts`);
  const path = '/svc/v2/payouts?per_page=20';
  print(await measureRead('GET /payouts, page 1', service, dataset.token, path));
  console.log(`\none request at a time, ms\n`);
  console.log(row(['', 'median', 'slowest']));
  for (const page of [1, LISTED / 40, LISTED / 20]) {
    for (const filter of ['', '&status=paid']) {
      const times: number[] = [];
      for (let i = 0; i < 7; i++) {
        const startedMs = performance.now();
        const last = filter ? Math.max(1, Math.floor(page / 3)) : page;
        await get(service.port, dataset.token, `${path}${filter}&page=${last}`);
        times.push(performance.now() - startedMs);
      }
      const name = `payouts${filter && ' of a status'}, page ${page} of ${LISTED / 20}`;
      console.log(row([name, median(times).toFixed(1), Math.max(...times).toFixed(1)]));
    }
  }
  await service.stop();
  copy.remove();
}

/** Straight into the tables: only what comes after is measured. */
function change(data: string, ...statements: string[]): void {
  const db = new DatabaseSync(dataFolder(data).databaseFile);
  for (const statement of statements) db.exec(statement);
  db.close();
}
