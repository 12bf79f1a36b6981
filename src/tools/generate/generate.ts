import { print } from '../../cli/output.ts';
import { Progress } from '../../cli/progress.ts';
import { withSite, type Flags } from '../../cli/with-site.ts';
import { query } from '../../db/statements/query.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { CommandError } from '../../kernel/declare/command.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { createAffiliate } from '../../modules/affiliates/index.ts';
import { createCoupon } from '../../modules/coupons/index.ts';
import { countOf } from '../../shared/count-of.ts';
import { makeOrders } from './bulk-orders.ts';

const COUPONS_AT_ONCE = 500;
const COUPONS_AN_AFFILIATE = 5;

export interface GenerateFlags extends Flags {
  orders: number;
  coupons: number;
  days: number;
  add?: boolean;
}

const last = query<object, { order_id: number | null; user_id: number | null }>((db) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('orders')
      .select((e) => e.fn.max('order_id').as('n'))
      .as('order_id'),
    eb
      .selectFrom('users')
      .select((e) => e.fn.max('id').as('n'))
      .as('user_id'),
  ]),
);

export function generate(flags: GenerateFlags): Promise<void> {
  return withSite(flags, (site) => generateStore(site, flags), { create: true });
}

async function generateStore(site: Site, flags: GenerateFlags): Promise<void> {
  const { order_id, user_id } = (await site.database.read.first(last, {}))!;
  if (order_id !== null && !flags.add) {
    throw new CommandError(
      'refused',
      'There are orders already, and generated ones cannot be distinguished from them. ' +
        'Choose another --data folder, or say --add.',
    );
  }
  const codes = await createCoupons(site, flags.coupons, (user_id ?? 0) + 1);
  const startedMs = performance.now();
  const progress = new Progress(!flags.json);
  const plan = { orders: flags.orders, days: flags.days, codes, firstId: (order_id ?? 0) + 1 };
  await makeOrders(site, plan, (done) => progress.show(done / plan.orders, countOf(done, 'order')));
  progress.end();
  const seconds = (performance.now() - startedMs) / 1000;
  await site.database.updateStatistics();
  const made = {
    orders: flags.orders,
    coupons: codes.length,
    days: flags.days,
    seconds: Number(seconds.toFixed(3)),
    orders_per_second: Math.round(flags.orders / seconds),
  };
  print(
    flags.json,
    made,
    () =>
      `${countOf(made.orders, 'order')} with ${countOf(made.coupons, 'coupon')} over ${countOf(made.days, 'day')} in ` +
      `${seconds.toFixed(1)} s: ${countOf(made.orders_per_second, 'order')} a second.`,
  );
}

/** Names and codes contain a number that is not in use yet. */
export async function createCoupons(site: Site, count: number, first: number): Promise<string[]> {
  const codes: string[] = [];
  while (codes.length < count) {
    const owners = Math.ceil(
      Math.min(COUPONS_AT_ONCE, count - codes.length) / COUPONS_AN_AFFILIATE,
    );
    const start = first + codes.length / COUPONS_AN_AFFILIATE;
    const logins = Array.from({ length: owners }, (_, i) => `sample-${start + i}`);
    const people = await makeInOrder(site, logins, (login) =>
      invoke<{ id: number }>(site, createAffiliate, {
        login,
        email: `${login}@generated.example`,
      }),
    );
    const coupons = people
      .flatMap(({ id }, i) =>
        Array.from({ length: COUPONS_AN_AFFILIATE }, (_, n) => ({
          code: `SAMPLE-${start + i}-${n + 1}`,
          user_id: id,
        })),
      )
      .slice(0, count - codes.length);
    await makeInOrder(site, coupons, (coupon) => invoke(site, createCoupon, coupon));
    codes.push(...coupons.map(({ code }) => code));
  }
  return codes;
}

/**
 * The same ids every time. SQLite has one writer: parallel calls keep their order and share commits. On
 * PostgreSQL parallel calls get ids in any order, so they run one after the other.
 */
async function makeInOrder<Wanted, Made>(
  { database }: Site,
  list: readonly Wanted[],
  make: (wanted: Wanted) => Promise<Made>,
): Promise<Made[]> {
  if (database.dialect.commitsInIdOrder) return Promise.all(list.map(make));
  const made: Made[] = [];
  for (const wanted of list) made.push(await make(wanted));
  return made;
}
