import { sampleInstants, sampleOrder } from '../src/cli/sample-orders.ts';
import { prepareOrder, type OrderInput } from '../src/modules/orders/order-input.ts';
import { storeOrder } from '../src/modules/orders/store-order.ts';
import { Currency } from '../src/shared/money.ts';
import { Seeded } from '../src/shared/seeded.ts';
import { copyOf, type Dataset } from './dataset.ts';
import { each, load } from './load.ts';
import { median, print, printHead } from './measure.ts';
import { isWanted, options } from './options.ts';
import { RawWriter, recordStatements } from './raw-writes.ts';
import { requestBytes } from './request.ts';
import { startService } from './service.ts';

const PUTS_A_ROUND = 2_000;
const BATCHES_A_ROUND = 4;
const BATCH = 1_000;
const WRITERS = 32;
const STORE = '/svc/store/v1';

/** New orders one by one and in batches, against the same statements without the service. */
export async function measureWrites(dataset: Dataset): Promise<void> {
  const wanted = ['PUT /orders', 'POST /orders/batch'].filter(isWanted);
  if (wanted.length === 0) return;
  const [forService, forRaw] = [copyOf(dataset), copyOf(dataset)];
  const perRound = PUTS_A_ROUND + BATCHES_A_ROUND * BATCH;
  const orders = newOrders(dataset.orders + 1, (options.rounds + 1) * perRound);
  const coupons = new Map();
  const recorded = await recordStatements(forRaw.data, orders, (tx, site, order) =>
    storeOrder(tx, site, prepareOrder(site, order), { actorId: 1, nowMs: Date.now(), coupons }),
  );
  const service = await startService(forService.data);
  const raw = new RawWriter(forRaw.data);
  const { token } = dataset;
  const puts: { perSecond: number; floor: number; p50Ms: number; p99Ms: number }[] = [];
  const batches: typeof puts = [];
  for (let i = 0; i <= options.rounds; i++) {
    const start = i * perRound;
    const singles = orders.slice(start, start + PUTS_A_ROUND).map(({ order_id, ...body }) => {
      return requestBytes(token, 'PUT', `${STORE}/orders/${order_id}`, JSON.stringify(body));
    });
    const put = await load(service.port, each(singles), WRITERS);
    const rawSingles = recorded.slice(start, start + PUTS_A_ROUND);
    puts.push({ ...put, floor: raw.write(rawSingles, WRITERS, true) });

    const rest = start + PUTS_A_ROUND;
    const bodies = Array.from({ length: BATCHES_A_ROUND }, (_, n) =>
      orders.slice(rest + n * BATCH, rest + (n + 1) * BATCH),
    ).map((list) =>
      requestBytes(token, 'POST', `${STORE}/orders/batch`, JSON.stringify({ orders: list })),
    );
    const batch = await load(service.port, each(bodies), 1);
    const floor = raw.write(recorded.slice(rest, start + perRound), BATCH, false);
    batches.push({ ...batch, perSecond: batch.perSecond * BATCH, floor });
  }
  await service.stop();
  raw.close();
  for (const copy of [forService, forRaw]) copy.remove();

  printHead('orders a second; floor: the same statements by the driver alone');
  for (const [name, rounds, target] of [
    [`PUT /orders, ${WRITERS} connections`, puts, 0.6],
    ['POST /orders/batch of 1,000', batches, 0.5],
  ] as const) {
    const of = (key: 'perSecond' | 'floor' | 'p50Ms' | 'p99Ms') =>
      median(rounds.slice(1).map((round) => round[key]));
    print({
      name,
      perSecond: of('perSecond'),
      floor: of('floor'),
      p50Ms: of('p50Ms'),
      p99Ms: of('p99Ms'),
      target,
    });
  }
}

function newOrders(firstId: number, count: number): OrderInput[] {
  const random = new Seeded(2);
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
