import { noRequest } from '../src/kernel/call/invoke.ts';
import { system } from '../src/kernel/declare/caller.ts';
import { batchOrders } from '../src/modules/orders/batch-orders.ts';
import { ingestOrders } from '../src/modules/orders/ingest-orders.ts';
import type { OrderInput } from '../src/modules/orders/order-fields.ts';
import { prepareOrder } from '../src/modules/orders/order-input.ts';
import { Currency } from '../src/shared/money.ts';
import { SeededRandom } from '../src/shared/seeded.ts';
import { sampleInstants, sampleOrder } from '../src/tools/generate/sample-orders.ts';
import { costOf } from './baseline.ts';
import type { Engine, OwnStore, Store } from './engine.ts';
import { each, load } from './load.ts';
import { isWanted, options } from './options.ts';
import { recordWrites, type Recorded } from './recorded.ts';
import { requestBytes } from './request.ts';
import type { Collected, Line } from './result.ts';
import { createRules, ruleSets } from './rules.ts';
import { scale } from './scale.ts';
import { startService, type Running } from './service.ts';
import { inTurns, withCpu, type Contestant, type Round } from './turns.ts';

const { puts: PUTS_A_ROUND, batches: BATCHES_A_ROUND, batch: BATCH } = scale;
const WRITERS = 32;
const STORE = '/svc/store/v1';
const SINGLE = `PUT /orders, ${WRITERS} at a time`;
const MANY = 'POST /orders/batch of 1,000';
/** The same with reward rules, for each set in a service of its own. */
const withRules = (operation: string) =>
  Object.keys(ruleSets).map((name) => `${operation}, ${name}`);

/** Measures new orders, single and in batches, against the same statements without the service. */
export async function measureWrites(
  stores: ReadonlyMap<Engine, Store>,
  collected: Collected,
): Promise<void> {
  if (![SINGLE, MANY].flatMap(withRules).some(isWanted)) return;
  const contestants: Record<string, Contestant> = {};
  const endings: (() => Promise<void>)[] = [];
  for (const [engine, store] of stores) {
    const one = await prepare(engine, store);
    Object.assign(contestants, one.contestants);
    endings.push(one.end);
  }
  const medians: Record<string, Round> = await inTurns(contestants);
  for (const end of endings) await end();
  for (const operation of [SINGLE, MANY]) {
    for (const [engine, { orders }] of stores) {
      const { name: database } = engine;
      const sql = medians[`${database} ${operation} sql`]!.perSecond;
      const own = medians[`${database} ${operation}`]!;
      const { perSecond, p50Ms, p99Ms, cpuUs, serverCpuUs } = own;
      const figures = { perSecond, p50Ms, p99Ms, cpuUs, serverCpuUs, sql };
      collected.add({ area: 'Orders', operation, database, orders, ...figures } satisfies Line);
      for (const name of withRules(operation)) {
        const ruled = medians[`${database} ${name}`]!;
        collected.add({ area: 'Orders', operation: name, database, orders, ...ruled });
        collected.figure('rules', name, database, costOf(ruled) / costOf(own));
      }
    }
  }
}

async function prepare(engine: Engine, store: Store) {
  const perRound = PUTS_A_ROUND + BATCHES_A_ROUND * BATCH;
  const orders = newOrders(store.orders + 1, (options.rounds + 1) * perRound);
  const singlesOf = (round: number) =>
    orders.slice(round * perRound, round * perRound + PUTS_A_ROUND);
  const batchesOf = (round: number) =>
    Array.from({ length: BATCHES_A_ROUND }, (_, n) => {
      const start = round * perRound + PUTS_A_ROUND + n * BATCH;
      return orders.slice(start, start + BATCH);
    });
  const recorded = await record(engine, store, singlesOf, batchesOf);
  const [forPlain, forRaw] = [await engine.copyOf(store), await engine.copyOf(store)];
  const plain = await startService(forPlain);
  const ruled = new Map<string, { copy: OwnStore; service: Running }>();
  for (const [name, list] of Object.entries(ruleSets)) {
    const copy = await engine.copyOf(store);
    const service = await startService(copy);
    await createRules(service.port, store.token, list);
    ruled.set(name, { copy, service });
  }
  const raw = await engine.rawWriter(forRaw);
  const send = (service: Running, requests: Buffer[], writers: number) =>
    withCpu(
      service.pid,
      () => engine.serverCpuMs(),
      () => load(service.port, each(requests), writers),
    );
  const putsTo =
    (service: Running): Contestant =>
    (round) =>
      send(
        service,
        singlesOf(round).map(({ order_id, ...body }) => {
          const path = `${STORE}/orders/${order_id}`;
          return requestBytes(store.token, 'PUT', path, JSON.stringify(body));
        }),
        WRITERS,
      );
  const batchesTo =
    (service: Running): Contestant =>
    async (round) => {
      const bodies = batchesOf(round).map((list) => JSON.stringify({ orders: list }));
      const path = `${STORE}/orders/batch`;
      const sent = await send(
        service,
        bodies.map((body) => requestBytes(store.token, 'POST', path, body)),
        1,
      );
      // Converts to orders per second and CPU per order; the latency stays that of a batch.
      return {
        ...sent,
        perSecond: sent.perSecond * BATCH,
        cpuUs: sent.cpuUs! / BATCH,
        serverCpuUs: sent.serverCpuUs! / BATCH,
      };
    };

  const contestants: Record<string, Contestant> = {
    [`${engine.name} ${SINGLE}`]: putsTo(plain),
    [`${engine.name} ${SINGLE} sql`]: async (round) => ({
      perSecond: await raw.one(recorded.singles[round]!, WRITERS),
    }),
    [`${engine.name} ${MANY}`]: batchesTo(plain),
    [`${engine.name} ${MANY} sql`]: async (round) => ({
      perSecond: BATCH * (await raw.batches(recorded.batches[round]!)),
    }),
  };
  for (const [name, { service }] of ruled) {
    contestants[`${engine.name} ${SINGLE}, ${name}`] = putsTo(service);
    contestants[`${engine.name} ${MANY}, ${name}`] = batchesTo(service);
  }
  const end = async () => {
    for (const { service } of [{ service: plain }, ...ruled.values()]) await service.stop();
    await raw.close();
    const copies = Array.from(ruled.values(), ({ copy }) => copy);
    for (const copy of [forPlain, forRaw, ...copies]) await copy.remove();
  };
  return { contestants, end };
}

/** The statements of both, recorded by rounds in a separate store and rolled back. */
async function record(
  engine: Engine,
  store: Store,
  singlesOf: (round: number) => OrderInput[],
  batchesOf: (round: number) => OrderInput[][],
): Promise<{ singles: Recorded[][]; batches: Recorded[][] }> {
  const copy = await engine.copyOf(store);
  const nowMs = Date.now();
  const rounds = Array.from({ length: options.rounds + 1 }, (_, round) => round);
  const singles: Recorded[][] = [];
  const batches: Recorded[][] = [];
  for (const round of rounds) {
    singles.push(
      await recordWrites(copy, singlesOf(round), (tx, site, order) =>
        ingestOrders(tx, site, [
          { order: prepareOrder(site, order), context: { actorId: 0, nowMs } },
        ]),
      ),
    );
    batches.push(
      await recordWrites(copy, batchesOf(round), (tx, site, list) =>
        batchOrders.handle(
          { db: tx, site, caller: system, nowMs, request: noRequest, prepared: undefined },
          { orders: list },
        ),
      ),
    );
  }
  await copy.remove();
  return { singles, batches };
}

function newOrders(firstId: number, count: number): OrderInput[] {
  const random = new SeededRandom(2);
  const nowMs = Date.now();
  const instant = sampleInstants(random, count, 30, nowMs);
  const currency = new Currency('USD');
  return Array.from({ length: count }, (_, i) =>
    sampleOrder(random, currency, {
      orderId: firstId + i,
      placedAtMs: instant(i),
      nowMs,
      codes: random.happens(0.9) ? [`CODE${random.between(1, 500)}`] : [],
    }),
  );
}
