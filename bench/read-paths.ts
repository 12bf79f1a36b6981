import { openStore, type Store } from './engine.ts';
import { statementsOf, type Recorded } from './recorded.ts';
import { get } from './request.ts';
import type { Line } from './result.ts';
import { scale } from './scale.ts';

export interface Read {
  area: Line['area'];
  name: string;
  /** `COUPON` is each of some coupons in turn, `HALF` the middle of the feed. */
  path: string;
  /** Measured at every size: the cost must not grow with the number of orders. */
  flat?: boolean;
}

export const YEAR = `from=${dayBefore(364)}&to=${dayBefore(0)}`;
export const MONTH = `from=${dayBefore(29)}&to=${dayBefore(0)}`;
export const DAY = `from=${dayBefore(7)}&to=${dayBefore(7)}`;

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60_000).toISOString().slice(0, 10);
}

/** The first coupon has most of the orders. */
export const reads: readonly Read[] = [
  { area: 'Reading', name: 'GET /me', path: '/me' },
  { area: 'Reading', name: 'GET /coupons/{id}', path: '/coupons/COUPON' },
  { area: 'Listing', name: 'GET /coupons, 20 of 100k', path: '/coupons?per_page=20' },
  { area: 'Listing', name: 'GET orders, page 1', path: '/coupons/1/orders', flat: true },
  { area: 'Statistics', name: 'GET stats, all-time', path: '/coupons/1/stats', flat: true },
  { area: 'Statistics', name: 'GET stats, a year', path: `/coupons/1/stats?${YEAR}`, flat: true },
  { area: 'Reports', name: 'GET report, kept', path: '/reports/summary' },
  { area: 'Reports', name: 'GET report of a year, kept', path: `/reports/summary?${YEAR}` },
  {
    area: 'Feed',
    name: 'GET /events after 0, 100',
    path: '/events?after=0&per_page=100',
    flat: true,
  },
  {
    area: 'Feed',
    name: 'GET /events after half, 100',
    path: '/events?after=HALF&per_page=100',
    flat: true,
  },
];

/** One path, or several that are requested in turn. */
export type PreparedRead = readonly {
  path: string;
  /** The statements that the service sends for it with warm caches. */
  statements: Recorded;
}[];

const TRIES = 5;

/** Opens the service in this process and records the statements it sends. */
export async function prepareReads(
  store: Store,
  paths: readonly string[],
): Promise<PreparedRead[]> {
  const flags = { tls: 'off', port: '0', worker: 'off', trustedProxies: '127.0.0.1' };
  const app = await openStore(store, flags);
  try {
    const { url } = await app.listen();
    const port = Number(new URL(url).port);
    const prepared: PreparedRead[] = [];
    for (const template of paths) {
      const read = [];
      for (const filled of await filledIn(template, port, store.token)) {
        const path = `/svc/v2${filled}`;
        read.push({ path, statements: await leastSent(port, store.token, path) });
      }
      prepared.push(read);
    }
    return prepared;
  } finally {
    await app.close();
  }
}

/** Background jobs send statements too, so the shortest recording counts. */
async function leastSent(port: number, token: string, path: string): Promise<Recorded> {
  const tries: Recorded[] = [];
  for (let i = 0; i <= TRIES; i++) {
    const sent = await statementsOf(async () => {
      const { status, body } = await get(port, token, path);
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    });
    if (i > 0) tries.push(sent);
  }
  return tries.reduce((least, next) => (next.length < least.length ? next : least));
}

async function filledIn(path: string, port: number, token: string): Promise<string[]> {
  if (path.includes('COUPON')) {
    return Array.from({ length: scale.couponsRead }, (_, i) =>
      path.replace('COUPON', String(i + 1)),
    );
  }
  if (!path.includes('HALF')) return [path];
  const newest = await get(port, token, '/svc/v2/events?per_page=1');
  const [{ id }] = JSON.parse(newest.body) as [{ id: number }];
  return [path.replace('HALF', String(Math.floor(id / 2)))];
}
