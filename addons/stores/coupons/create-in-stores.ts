import type { Job } from '../../../src/kernel/declare/job.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { findCouponWithTwins, findDiscount } from '../../../src/modules/coupons/index.ts';
import { pollEvents } from '../../../src/modules/events/index.ts';
import {
  findConnection,
  listAllConnections,
  type ConnectionRow,
} from '../connections/connection-rows.ts';
import { discountOf } from '../connections/connection-wire.ts';
import { hasCredentials } from '../connections/open-connection.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import { StoreError } from '../connectors/connector.ts';
import { findConnector } from '../connectors/connectors.ts';
import { retryDelayMs } from '../deliveries/retry-delay.ts';
import { findCouponCursor, moveCouponCursor } from './coupon-cursor.ts';
import {
  findStoreCoupon,
  listDueCoupons,
  saveStoreCoupon,
  wantCoupon,
  type StoreCouponRow,
} from './coupon-rows.ts';

const EVENTS_AT_ONCE = 100;
const COUPONS_AT_ONCE = 20;
const ATTEMPTS_MAX = 40;

/** Creates and pauses codes in the stores whose connection has a discount for them. */
export const createCouponsInStores: Job = {
  name: 'stores.coupons',
  everyMs: 2_000,
  runsOn: 'one',
  async run(site) {
    // Without a cursor, no connection has ever had a discount.
    const cursor = await findCouponCursor(site.database.read);
    if (!cursor) return;
    await followCoupons(site, cursor.position);
    await askStores(site);
  },
};

/** Notes which codes the stores should have, for the coupons that have changed since. */
async function followCoupons(site: Site, after: number): Promise<void> {
  const { events } = await pollEvents(site.database, {
    kind: 'coupon',
    after,
    limit: EVENTS_AT_ONCE,
  });
  const last = events.at(-1);
  if (!last) return;
  const ids = new Set(events.map(({ object_id }) => object_id));
  const connections = (await listAllConnections(site.database.read)).filter((connection) =>
    createsCoupons(site, connection),
  );
  await site.database.transaction(async (tx) => {
    for (const couponId of ids) {
      const coupon = await findCouponWithTwins(tx, couponId);
      for (const connection of connections) {
        const key = { connection_id: connection.id, coupon_id: couponId };
        const known = await findStoreCoupon(tx, key);
        const active = Number(coupon?.status === 'active');
        if (known ? known.active === active : active === 0) continue;
        const code = known?.code ?? coupon!.code;
        await wantCoupon(tx, { ...key, code, active, due_at: site.clock() });
      }
    }
    await moveCouponCursor(tx, { to: last.id });
  });
}

function createsCoupons(site: Site, connection: ConnectionRow): boolean {
  const connector = findConnector(site, connection.kind);
  return (
    connector?.createCoupon !== undefined &&
    hasCredentials(connection) &&
    connection.coupon_discount !== ''
  );
}

async function askStores(site: Site): Promise<void> {
  const due = await listDueCoupons(site.database.read, {
    now: site.clock(),
    limit: COUPONS_AT_ONCE,
  });
  for (const row of due) {
    const after = await askStore(site, row);
    await site.database.transaction((tx) => saveStoreCoupon(tx, after));
  }
}

async function askStore(site: Site, row: StoreCouponRow): Promise<StoreCouponRow> {
  const connection = await findConnection(site.database.read, row.connection_id);
  const connector = connection && findConnector(site, connection.kind);
  const discount = connection && discountOf(connection);
  // The connection was deleted or creates no codes any more.
  if (!connector?.createCoupon || !discount || !hasCredentials(connection)) {
    return { ...row, due_at: null };
  }
  const own = row.created ? null : await findDiscount(site.database.read, row.coupon_id);
  const coupon = { code: row.code, discount: own ?? discount, currency: site.currency.code };
  try {
    await askConnected({ site, connector, connection }, async (api) => {
      if (!row.created) await connector.createCoupon!(api, coupon);
      if (row.created || row.active === 0) {
        await connector.changeCoupon?.(api, { ...coupon, active: row.active === 1 });
      }
    });
    return { ...row, created: 1, attempts: row.attempts + 1, due_at: null, error: '' };
  } catch (error) {
    return failed(site, row, error);
  }
}

function failed(site: Site, row: StoreCouponRow, error: unknown): StoreCouponRow {
  if (!(error instanceof StoreError)) throw error;
  const attempts = row.attempts + 1;
  const waitMs = error.retryAfterMs ?? retryDelayMs(attempts);
  const due_at = attempts >= ATTEMPTS_MAX ? null : site.clock() + waitMs;
  return { ...row, attempts, due_at, error: error.message };
}
