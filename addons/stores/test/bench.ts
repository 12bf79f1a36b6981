import { createHmac } from 'node:crypto';
import type { BenchPart } from '../../../bench/addon-parts.ts';
import { openStore, type Engine, type OwnStore } from '../../../bench/engine.ts';
import { each, load } from '../../../bench/load.ts';
import { isWanted, options } from '../../../bench/options.ts';
import { recordWrites } from '../../../bench/recorded.ts';
import { scale } from '../../../bench/scale.ts';
import { startService } from '../../../bench/service.ts';
import { inTurns, withCpu, type Contestant, type Round } from '../../../bench/turns.ts';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import { changeSettings } from '../../../src/modules/settings/index.ts';
import { createConnection } from '../connections/create-connection.ts';
import { keepDeliveries } from '../deliveries/delivery-rows.ts';
import { drainInbox } from '../deliveries/process-deliveries.ts';
import { toStoredBody } from '../deliveries/stored-body.ts';

const DELIVERIES_A_ROUND = scale.deliveries;
const AT_ONCE = 32;
const LINES = 12;
const RECEIPTS = `deliveries of a store, ${AT_ONCE} at a time`;
const PROCESSED = 'deliveries of a store, processed';

/** Measures receipts of deliveries against bare inserts, and how fast a job makes orders of them. */
export const part: BenchPart = { name: 'stores', measure };

async function measure({ engines, collected }: Parameters<BenchPart['measure']>[0]): Promise<void> {
  if (!isWanted(RECEIPTS)) return;
  const contestants: Record<string, Contestant> = {};
  const endings: (() => Promise<number>)[] = [];
  for (const engine of engines) {
    const one = await prepare(engine);
    Object.assign(contestants, one.contestants);
    endings.push(one.end);
  }
  const medians: Record<string, Round> = await inTurns(contestants);
  for (const [i, { name: database }] of engines.entries()) {
    const { perSecond, p50Ms, p99Ms, cpuUs, serverCpuUs } = medians[database]!;
    const sql = medians[`${database} sql`]!.perSecond;
    const same = { area: 'Stores', database, orders: 0 } as const;
    const figures = { perSecond, p50Ms, p99Ms, cpuUs, serverCpuUs, sql };
    collected.add({ ...same, operation: RECEIPTS, ...figures });
    collected.add({ ...same, operation: PROCESSED, perSecond: await endings[i]!() });
  }
}

async function prepare(engine: Engine) {
  const [forService, forRaw] = [await engine.emptyStore(), await engine.emptyStore()];
  const secret = await connect(forService);
  await connect(forRaw);
  const bodies = Array.from({ length: (options.rounds + 1) * DELIVERIES_A_ROUND }, (_, i) =>
    JSON.stringify(orderOf(i + 1)),
  );
  const recorded = await recordWrites(forRaw, bodies, (tx, site, body) =>
    keepDeliveries(tx, [
      {
        connection_id: 1,
        topic: 'order',
        external_id: null,
        dedupe_key: signatureOf(body, secret),
        headers: JSON.stringify({ 'x-tributary-signature': signatureOf(body, secret) }),
        ...toStoredBody(Buffer.from(body)),
        state: 'received',
        reason: '',
        due_at: site.clock(),
        received_at: site.clock(),
      },
    ]),
  );
  // Receipts alone: what they wait for is processed afterwards.
  const service = await startService(forService, { TRIBUTARY_WORKER: 'off' });
  const raw = await engine.rawWriter(forRaw);
  const ofRound = <T>(list: readonly T[], round: number) =>
    list.slice(round * DELIVERIES_A_ROUND, (round + 1) * DELIVERIES_A_ROUND);
  const contestants: Record<string, Contestant> = {
    [engine.name]: (round) =>
      withCpu(
        service.pid,
        () => engine.serverCpuMs(),
        () =>
          load(
            service.port,
            each(ofRound(bodies, round).map((body) => deliveryBytes(body, secret))),
            AT_ONCE,
          ),
      ),
    [`${engine.name} sql`]: async (round) => ({
      perSecond: await raw.one(ofRound(recorded, round), AT_ONCE),
    }),
  };
  const end = async () => {
    await service.stop();
    await raw.close();
    const rate = await processAll(forService, bodies.length);
    for (const store of [forService, forRaw]) await store.remove();
    return rate;
  };
  return { contestants, end };
}

async function connect(store: OwnStore): Promise<string> {
  const app = await openStore(store);
  await invoke(app.site, changeSettings, { 'stores.deliveries_per_minute': '1000000' });
  const { webhook_secret } = await invoke(app.site, createConnection, {
    kind: 'http',
    name: 'Bench',
  });
  await app.close();
  return webhook_secret!;
}

async function processAll(store: OwnStore, count: number): Promise<number> {
  const app = await openStore(store, { worker: 'off' });
  const begun = performance.now();
  await drainInbox(app.site);
  const seconds = (performance.now() - begun) / 1000;
  await app.close();
  return count / seconds;
}

function orderOf(number: number) {
  return {
    external_id: String(number),
    date: '2026-01-20T14:05:09Z',
    date_modified: '2026-01-20T15:00:00Z',
    status: 'completed',
    total: LINES * 10,
    coupon_codes: ['MAYA10'],
    customer: { email: `customer${number}@shop.example` },
    items: Array.from({ length: LINES }, (_, i) => ({
      product_id: `SKU-${number}-${i}`,
      quantity: 1,
      subtotal: 10,
      total: 10,
    })),
  };
}

function deliveryBytes(body: string, secret: string): Buffer {
  const head = [
    'POST /connect/http/1 HTTP/1.1',
    'host: 127.0.0.1',
    'x-forwarded-proto: https',
    'x-forwarded-for: 203.0.113.7',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-tributary-signature: ${signatureOf(body, secret)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
