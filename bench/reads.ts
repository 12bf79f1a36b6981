import type { Dataset } from './dataset.ts';
import { measureRead, print, printHead, row, type Line } from './measure.ts';
import { isWanted } from './options.ts';
import { get } from './request.ts';
import { startService, type Running } from './service.ts';

interface Target {
  name: string;
  path: string;
  target?: number;
  /** Measured at every size: the cost must not grow with the orders. */
  flat?: boolean;
}

const YEAR = `from=${dayBefore(364)}&to=${dayBefore(0)}`;

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60_000).toISOString().slice(0, 10);
}

/** The first coupon has most of the orders. */
const targets: Target[] = [
  { name: 'GET /me', path: '/me', target: 0.7 },
  { name: 'GET /coupons/{id}', path: '/coupons/1', target: 0.7 },
  { name: 'GET /coupons, 20 of 100k', path: '/coupons?per_page=20', target: 0.5 },
  { name: 'GET stats, all-time', path: '/coupons/1/stats', target: 0.6, flat: true },
  { name: 'GET stats, a year', path: `/coupons/1/stats?${YEAR}`, target: 0.6, flat: true },
  { name: 'GET orders, page 1', path: '/coupons/1/orders', flat: true },
  { name: 'GET /events after 0, 100', path: '/events?after=0&per_page=100', flat: true },
  { name: 'GET /events after half, 100', path: '/events?after=HALF&per_page=100', flat: true },
  { name: 'GET report, kept', path: '/reports/summary', target: 0.6 },
  { name: 'GET report of a year, kept', path: `/reports/summary?${YEAR}`, target: 0.6 },
];

/** Every read at every size, largest last; then how the cost has grown. */
export async function measureReads(datasets: readonly Dataset[]): Promise<void> {
  const lines = new Map<string, Line[]>();
  for (const dataset of datasets) {
    const service = await startService(dataset.data);
    const isLargest = dataset === datasets.at(-1);
    printHead(`${dataset.orders.toLocaleString('en')} orders`);
    for (const target of targets.filter(({ name }) => isWanted(name))) {
      if (!target.flat && !isLargest) continue;
      const path = `/svc/v2${await filledIn(target.path, service, dataset.token)}`;
      const line = await measureRead(target.name, service, dataset.token, path, target.target);
      print(line);
      lines.set(target.name, [...(lines.get(target.name) ?? []), line]);
    }
    if (isLargest) await measurePages(service, dataset);
    await service.stop();
  }
  printGrowth(lines, datasets);
}

/** How long one request takes by itself: pages of a long list, and reports that are not kept. */
async function measurePages(service: Running, dataset: Dataset): Promise<void> {
  const orders = '/svc/v2/coupons/1/orders';
  const first = await get(service.port, dataset.token, orders);
  const pages = Number(first.headers[first.headers.indexOf('x-svc-totalpages') + 1]);
  const alone = [
    ['orders of a coupon, page 1', `${orders}?page=1`],
    ['orders of a coupon, page in the middle', `${orders}?page=${Math.ceil(pages / 2)}`],
    [`orders of a coupon, last page (${pages})`, `${orders}?page=${pages}`],
    ['report, not kept', '/svc/v2/reports/summary?refresh=true'],
    ['report of a year, not kept', `/svc/v2/reports/summary?refresh=true&${YEAR}`],
  ] as const;
  console.log(`\none request at a time, ms\n`);
  console.log(row(['', 'median', 'slowest']));
  for (const [name, path] of alone.filter(([wanted]) => isWanted(wanted))) {
    const times: number[] = [];
    for (let i = 0; i < 7; i++) {
      const startedMs = performance.now();
      await get(service.port, dataset.token, path);
      times.push(performance.now() - startedMs);
    }
    times.sort((a, b) => a - b);
    console.log(row([name, times[3]!.toFixed(1), times.at(-1)!.toFixed(1)]));
  }
}

/** The cursor in the middle of the feed. */
async function filledIn(path: string, service: Running, token: string): Promise<string> {
  if (!path.includes('HALF')) return path;
  const newest = await get(service.port, token, '/svc/v2/events?per_page=1');
  const [{ id }] = JSON.parse(newest.body) as [{ id: number }];
  return path.replace('HALF', String(Math.floor(id / 2)));
}

function printGrowth(lines: ReadonlyMap<string, Line[]>, datasets: readonly Dataset[]): void {
  const grown = [...lines].filter(([, of]) => of.length > 1);
  if (grown.length === 0) return;
  const sizes = datasets.map(({ orders }) => orders.toLocaleString('en'));
  console.log('\nCPU of a request against the smallest store (target: at most 1.50)\n');
  console.log(row(['', ...sizes]));
  for (const [name, of] of grown) {
    console.log(row([name, ...of.map((line) => (line.cpuUs! / of[0]!.cpuUs!).toFixed(2))]));
  }
}
