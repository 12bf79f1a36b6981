import { costOf } from './baseline.ts';
import type { Engine, Store } from './engine.ts';
import { measureCost, measureRead, type Subject } from './measure-read.ts';
import { isWanted, options } from './options.ts';
import { prepareReads, reads, YEAR, type PreparedRead, type Read } from './read-paths.ts';
import { get } from './request.ts';
import type { Collected } from './result.ts';
import { scale } from './scale.ts';
import { startService, type Running } from './service.ts';
import { median } from './turns.ts';

/** The stores of an engine, largest last. */
export type Stores = ReadonlyMap<Engine, readonly Store[]>;

interface Served {
  engine: Engine;
  store: Store;
  service: Running;
  prepared: ReadonlyMap<Read, PreparedRead>;
  isLargest: boolean;
}

/** The read that is also measured with pgbench. */
const POINT_READ = 'GET /coupons/{id}';
const PAGES = 'orders of a coupon';
const REPORT = 'report, not kept';

/** Measures every read at every size, then how its cost grows. */
export async function measureReads(
  stores: Stores,
  sizes: readonly number[],
  collected: Collected,
): Promise<void> {
  const wanted = reads.filter(({ name }) => isWanted(name));
  if (wanted.length === 0 && ![PAGES, REPORT].some(isWanted)) return;
  for (const size of sizes) {
    const served = await serveAll(stores, size, wanted);
    for (const read of wanted) await measureOne(read, served, collected);
    for (const one of served.filter(({ isLargest }) => isLargest)) {
      await measureAlone(one, collected);
    }
    for (const { service } of served) await service.stop();
  }
  noteGrowth(collected);
}

async function serveAll(stores: Stores, size: number, wanted: readonly Read[]): Promise<Served[]> {
  const served: Served[] = [];
  for (const [engine, own] of stores) {
    const store = own.find(({ orders }) => orders === size);
    if (!store) continue;
    const sent = await prepareReads(
      store,
      wanted.map(({ path }) => path),
    );
    const prepared = new Map(wanted.map((read, i) => [read, sent[i]!]));
    const service = await startService(store);
    served.push({ engine, store, service, prepared, isLargest: store === own.at(-1) });
  }
  return served;
}

/** With all there is to compare it with on the largest store; on others, where it must not grow, alone. */
async function measureOne(read: Read, served: readonly Served[], collected: Collected) {
  const subjectsOf = (those: readonly Served[]) =>
    those.map((one): Subject => ({
      ...one,
      read: one.prepared.get(read)!,
      byPgbench: one.engine.name === 'PostgreSQL' && read.name === POINT_READ,
    }));
  const [largest, others] = [
    served.filter(({ isLargest }) => isLargest),
    served.filter(({ isLargest }) => !isLargest),
  ];
  // A smoke run compares one read: each starts processes of its own, which are most of its time.
  const measureLargest = options.smoke && read.name !== POINT_READ ? measureCost : measureRead;
  const measured = [
    ...(others.length > 0 && read.flat ? await measureCost(subjectsOf(others)) : []),
    ...(largest.length > 0 ? await measureLargest(subjectsOf(largest)) : []),
  ];
  const { area, name } = read;
  for (const line of measured) collected.add({ area, operation: name, ...line });
}

/** Measures single requests: pages of a long list, and reports that are not cached. */
async function measureAlone({ engine, store, service }: Served, collected: Collected) {
  const took = async (path: string) => medianMs(service, store.token, path);
  const orders = '/svc/v2/coupons/1/orders';
  if (isWanted(PAGES)) {
    const first = await get(service.port, store.token, orders);
    const pages = Number(first.headers[first.headers.indexOf('x-svc-totalpages') + 1]);
    await notePages(PAGES, [1, Math.ceil(pages / 2), pages]);
  }
  if (!isWanted(REPORT)) return;
  for (const [name, range] of [
    [REPORT, ''],
    ['report of a year, not kept', `&${YEAR}`],
  ] as const) {
    const ms = await took(`/svc/v2/reports/summary?refresh=true${range}`);
    collected.figure('alone', name, engine.name, ms);
  }

  async function notePages(name: string, [first, middle, last]: [number, number, number]) {
    const firstMs = await took(`${orders}?page=${first}`);
    collected.figure('alone', `${name}, page 1`, engine.name, firstMs);
    for (const [which, page] of [
      ['in the middle', middle],
      ['last', last],
    ] as const) {
      const ms = await took(`${orders}?page=${page}`);
      collected.figure('alone', `${name}, page ${which}`, engine.name, ms);
      collected.figure('pages', `${name}, ${which}`, engine.name, ms / firstMs);
    }
  }
}

/** The median of requests sent one after the other. */
export async function medianMs(service: Running, token: string, path: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < scale.times; i++) {
    const startedMs = performance.now();
    const { status, body } = await get(service.port, token, path);
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    times.push(performance.now() - startedMs);
  }
  return median(times);
}

function noteGrowth(collected: Collected): void {
  for (const line of collected.lines) {
    const smallest = collected.lines.find(
      ({ operation, database }) => operation === line.operation && database === line.database,
    )!;
    if (smallest === line) continue;
    const name = `${line.operation}, ${line.orders.toLocaleString('en')} orders`;
    collected.figure('growth', name, line.database, costOf(line) / costOf(smallest));
  }
}
