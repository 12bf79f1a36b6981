import type { BenchPart } from '../../../bench/addon-parts.ts';
import type { Engine, OwnStore, Store } from '../../../bench/engine.ts';
import { each, load } from '../../../bench/load.ts';
import { measureRead } from '../../../bench/measure-read.ts';
import { isWanted, options } from '../../../bench/options.ts';
import { findPgbench, pgbench, scriptOf } from '../../../bench/pgbench.ts';
import { prepareReads } from '../../../bench/read-paths.ts';
import { medianMs } from '../../../bench/reads.ts';
import { recordWrites, type Recorded } from '../../../bench/recorded.ts';
import { requestBytes } from '../../../bench/request.ts';
import type { Collected } from '../../../bench/result.ts';
import { scale } from '../../../bench/scale.ts';
import { startService } from '../../../bench/service.ts';
import { inTurns, withCpu, type Contestant, type Round } from '../../../bench/turns.ts';
import { system } from '../../../src/kernel/declare/caller.ts';
import { openRequested } from '../payout/open-payouts.ts';

const { payoutRequests: REQUESTS_A_ROUND, payoutsListed: LISTED } = scale;
const WRITERS = 32;
/** The service has as many connections for transactions. */
const PGBENCH_CLIENTS = 8;
const FIRST_COUPON = scale.coupons / 2 + 1;
const REQUEST = `POST /payouts, ${WRITERS} at a time`;
const LIST = 'GET /payouts, 20 of a million';

type Stores = ReadonlyMap<Engine, Store>;

/**
 * Measures payout requests against the same statements without the service, and the list of a
 * million payouts.
 */
export const part: BenchPart = {
  name: 'payouts',
  async measure({ smallest, collected }) {
    if (isWanted(REQUEST)) await measureRequests(smallest, collected);
    if (isWanted(LIST)) await measureList(smallest, collected);
  },
};

async function measureRequests(stores: Stores, collected: Collected): Promise<void> {
  const contestants: Record<string, Contestant> = {};
  const endings: (() => Promise<void>)[] = [];
  for (const [engine, store] of stores) {
    const one = await prepareRequests(engine, store);
    Object.assign(contestants, one.contestants);
    endings.push(one.end);
  }
  const medians: Record<string, Round> = await inTurns(contestants);
  for (const end of endings) await end();
  for (const [engine, { orders }] of stores) {
    const { name: database } = engine;
    const { perSecond, p50Ms, p99Ms, cpuUs, serverCpuUs } = medians[database]!;
    const figures = { perSecond, p50Ms, p99Ms, cpuUs, serverCpuUs };
    const sql = medians[`${database} sql`]!.perSecond;
    const byBench = medians[`${database} pgbench`]?.perSecond;
    const line = { operation: REQUEST, database, orders, ...figures, sql, pgbench: byBench };
    collected.add({ area: 'Payouts', ...line });
  }
}

async function prepareRequests(engine: Engine, store: Store) {
  const payable = await payableCopy(engine, store);
  const coupons = Array.from(
    { length: (options.rounds + 1) * REQUESTS_A_ROUND },
    (_, i) => i + FIRST_COUPON,
  );
  const recorded = await recordWrites(payable, coupons, (tx, site, id) =>
    openRequested(tx, site, [
      { account: { coupon_id: id, user_id: null }, caller: system, nowMs: Date.now() },
    ]),
  );
  const forService = await engine.copyOf(payable);
  const forRaw = await replayableCopy(engine, payable);
  const own = [payable, forService, forRaw];
  const service = await startService(forService);
  const raw = await engine.rawWriter(forRaw);
  const ofRound = <T>(list: readonly T[], round: number) =>
    list.slice(round * REQUESTS_A_ROUND, (round + 1) * REQUESTS_A_ROUND);
  const contestants: Record<string, Contestant> = {
    [engine.name]: (round) => {
      const requests = ofRound(coupons, round).map((id) => {
        const body = JSON.stringify({ coupon_id: id });
        return requestBytes(store.token, 'POST', '/svc/v2/payouts', body);
      });
      return withCpu(
        service.pid,
        () => engine.serverCpuMs(),
        () => load(service.port, each(requests), WRITERS),
      );
    },
    [`${engine.name} sql`]: async (round) => ({
      perSecond: await raw.one(ofRound(recorded, round), WRITERS),
    }),
  };
  const program = findPgbench();
  if (program !== undefined && store.databaseUrl !== '') {
    const copy = await replayableCopy(engine, payable);
    own.push(copy);
    contestants[`${engine.name} pgbench`] = byPgbench(program, copy, recorded[0]!);
  }
  const end = async () => {
    await service.stop();
    await raw.close();
    for (const copy of own) await copy.remove();
  };
  return { contestants, end };
}

/** The same transaction, for the next coupon of the client each time. */
function byPgbench(program: string, store: Store, statements: Recorded): Contestant {
  const transactions = REQUESTS_A_ROUND / PGBENCH_CLIENTS;
  const begin = [
    '\\set n :n + 1',
    `\\set item :first + :client_id * ${transactions} + :n`,
    'begin;',
  ];
  const { text, variables } = scriptOf(statements, FIRST_COUPON, begin);
  return async (round) => {
    const first = FIRST_COUPON + round * REQUESTS_A_ROUND;
    const script = {
      text: `${text}\ncommit;`,
      variables: { ...variables, n: '-1', first: String(first) },
    };
    const run = { databaseUrl: store.databaseUrl, script, clients: PGBENCH_CLIENTS, transactions };
    return { perSecond: await pgbench(program, run) };
  };
}

/** Half of the coupons have a balance to pay. */
async function payableCopy(engine: Engine, store: Store): Promise<OwnStore> {
  const copy = await engine.copyOf(store);
  await engine.change(copy, [
    `update coupons set unpaid = 1000 where id >= ${FIRST_COUPON}`,
    `insert into settings (key, value, updated_at) values ('payouts.details_required', 'false', 0)`,
  ]);
  return copy;
}

/** Concurrent clients of a server get other ids of payouts than those that were recorded. */
async function replayableCopy(engine: Engine, store: Store): Promise<OwnStore> {
  const copy = await engine.copyOf(store);
  if (store.databaseUrl !== '') {
    const constraint = 'payout_changes_payout_id_fkey';
    await engine.change(copy, [`alter table payout_changes drop constraint ${constraint}`]);
  }
  return copy;
}

async function measureList(stores: Stores, collected: Collected): Promise<void> {
  const path = '/payouts?per_page=20';
  const subjects = [];
  for (const [engine, own] of stores) {
    const store = await engine.variantOf(own, 'payouts', listed(engine));
    const [read] = await prepareReads(store, [path]);
    subjects.push({ engine, store, service: await startService(store), read: read! });
  }
  for (const line of await measureRead(subjects)) {
    collected.add({ area: 'Listing', operation: LIST, ...line });
  }
  for (const { engine, store, service } of subjects) {
    for (const [name, filter, pages] of [
      ['payouts', '', LISTED / 20],
      ['payouts of a status', '&status=paid', Math.floor(LISTED / 60)],
    ] as const) {
      const took = (page: number) =>
        medianMs(service, store.token, `/svc/v2${path}${filter}&page=${page}`);
      const firstMs = await took(1);
      collected.figure('alone', `${name}, page 1`, engine.name, firstMs);
      for (const [which, page] of [
        ['in the middle', Math.floor(pages / 2)],
        ['last', pages],
      ] as const) {
        const ms = await took(page);
        collected.figure('alone', `${name}, page ${which}`, engine.name, ms);
        collected.figure('pages', `${name}, ${which}`, engine.name, ms / firstMs);
      }
    }
    await service.stop();
  }
}

function listed(engine: Engine): string[] {
  return [
    `insert into payouts (coupon_id, user_id, amount, method_type, method, status, transaction_id,
      invoice_id, requested_at, requested_day, nonce, asks, pay_attempts, leased_until)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LISTED})
    select 1 + i % ${scale.coupons}, 2 + i % ${scale.affiliates}, 100 + i % 900, 'banktransfer', 'Bank transfer',
      case i % 3 when 0 then 'paid' when 1 then 'cancel' else 'pending' end, '', 0,
      cast(i as bigint) * 60000, ${engine.dayAfter(`cast(i as bigint) * 2000 / ${LISTED}`)}, '', 0, 1, 0
    from n`,
    `insert into payout_days (basis, day, status, payouts, amount)
    select 'requested', requested_day, status, count(*), sum(amount) from payouts
    group by requested_day, status`,
  ];
}
