import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { readAll, readByNumbers, write } from '../../db/statements/calls.ts';
import { long, query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import type { RowOf } from '../../db/tables.ts';
import { clicksOfAccounts } from '../coupons/index.ts';
import { addTo, sorted } from './click-sums.ts';
import { CAMPAIGNS_PER_DAY, OTHER_SUBS } from './click.ts';
import { readSource, storedSource, type Source } from './source.ts';
import { subNames } from './sub-names.ts';
import type { SourceKind } from './tables.ts';

interface SubOfDay {
  coupon_id: number;
  day: string;
  name: string;
}

const subsOfDay = query<SubOfDay, { subs: number; known: number }>((db, p) =>
  db
    .selectFrom('source_days')
    .select((eb) => [
      eb.fn.countAll<number>().as('subs'),
      eb.fn
        .coalesce(
          eb.fn.sum<number>(
            eb.case().when('name', '=', p.name).then(eb.lit(1)).else(eb.lit(0)).end(),
          ),
          eb.lit(0),
        )
        .as('known'),
    ])
    .where('coupon_id', '=', p.coupon_id)
    .where('kind', '=', 'sub1')
    .where('day', '=', p.day),
);

type SourceDay = RowOf<'source_days'>;

const addToDays = insertRows<SourceDay>('source_days', {
  on: ['coupon_id', 'kind', 'day', 'name'],
  add: ['clicks', 'conversions'],
});

interface CouponDay {
  coupon_id: number;
  day: string;
}

/** Clicks and conversions by first sub-id and by creative. */
export class SourceSums {
  readonly #days = new Map<string, SourceDay>();

  add(
    { coupon_id, day }: CouponDay,
    source: CountedSource,
    counts: Pick<SourceDay, 'clicks' | 'conversions'>,
  ): void {
    for (const [kind, name] of namesOf(source)) {
      addTo(this.#days, `${coupon_id} ${kind} ${day} ${name}`, {
        coupon_id,
        kind,
        day,
        name,
        ...counts,
      });
    }
  }

  write(tx: Transaction): Promise<void> {
    return tx.runMany(addToDays, sorted(this.#days));
  }
}

/** What a click is counted under. */
export interface CountedSource {
  /** The first sub-id, or the name for those beyond the limit; empty without one. */
  readonly sub1: string;
  readonly creative_id: number | null;
}

export function namesOf(source: CountedSource | undefined): [SourceKind, string][] {
  const { sub1 = '', creative_id = null } = source ?? {};
  return [
    ...(sub1 === '' ? [] : [['sub1', sub1] satisfies [SourceKind, string]]),
    ...(creative_id === null
      ? []
      : [['creative', String(creative_id)] satisfies [SourceKind, string]]),
  ];
}

/** Counts a new click; returns what to store with it. Anyone can invent sub-ids in a link, so they are limited. */
export async function countSource(
  tx: Transaction,
  { coupon_id, day }: CouponDay,
  source: Source,
): Promise<string> {
  const name = source.sub1;
  const isOther = name !== '' && !(await isCounted(tx, { coupon_id, day, name }));
  const stored = storedSource(source, isOther);
  const sums = new SourceSums();
  sums.add({ coupon_id, day }, readCounted(stored), { clicks: 1, conversions: 0 });
  await sums.write(tx);
  return stored;
}

async function isCounted(db: Reader, sub: SubOfDay): Promise<boolean> {
  const { subs, known } = (await db.first(subsOfDay, sub))!;
  return known > 0 || subs < CAMPAIGNS_PER_DAY;
}

/** What a stored click was counted under. */
export function readCounted(stored: string): CountedSource {
  const { source, isOther } = readSource(stored);
  return { sub1: isOther ? OTHER_SUBS : source.sub1, creative_id: source.creative_id };
}

export type OrderSource = RowOf<'order_sources'>;

const replaceOrderSources = insertRows<OrderSource>('order_sources', {
  on: ['order_id', 'coupon_id'],
  keep: [],
});

/** Stores the sources of the clicks that orders are credited to. */
export function storeOrderSources(tx: Transaction, sources: readonly OrderSource[]): Promise<void> {
  return tx.runMany(replaceOrderSources, sources);
}

/** Gives the renewal of a subscription the source of the order that it renews, if that has one. */
export const inheritOrderSource = write<{
  order_id: number;
  first_order_id: number;
  coupon_id: number;
}>((db, p) =>
  db
    .insertInto('order_sources')
    .columns(['order_id', 'coupon_id', 'click_id', 'creative_id', ...subNames])
    .expression((eb) =>
      eb
        .selectFrom('order_sources')
        .select([
          eb.val(p.order_id).as('order_id'),
          'coupon_id',
          'click_id',
          'creative_id',
          ...subNames,
        ])
        .where('order_id', '=', p.first_order_id)
        .where('coupon_id', '=', p.coupon_id),
    )
    .onConflict((conflict) => conflict.columns(['order_id', 'coupon_id']).doNothing()),
);

/** The row for an order from the source that its click has. */
export function toOrderSource(
  order: Pick<OrderSource, 'order_id' | 'coupon_id' | 'click_id'>,
  stored: string,
): OrderSource {
  return { ...order, ...readSource(stored).source };
}

/** The creative and the sub-ids of the clicks that led to orders, for orders whose link had any. */
export const readOrderSources = readByNumbers<OrderSource>((db, isKey) =>
  db
    .selectFrom('order_sources')
    .select(['order_id', 'coupon_id', 'click_id', 'creative_id', ...subNames])
    .where(isKey('order_id')),
);

interface SourceFilter {
  user_id: number;
  coupon_id?: number | undefined;
  kind: SourceKind;
  first: string;
  last: string;
  limit: number;
}

type SourceClicks = Pick<SourceDay, 'name' | 'clicks' | 'conversions'>;

/** The sub-ids or creatives with most clicks of an affiliate. */
export const listSourceClicks = readAll<SourceFilter, SourceClicks>((db, p, given) => {
  const statement = sql<SourceClicks>`select name, cast(sum(clicks) as bigint) as clicks,
      cast(sum(conversions) as bigint) as conversions
    from ${clicksOfAccounts(sql<SourceKind>`${p.kind}`, p)} as counted
    where 1 = 1 ${given('coupon_id') ? sql`and coupon_id = ${p.coupon_id}` : sql``}
    group by name
    having sum(clicks) > 0
    order by sum(clicks) desc, name
    limit ${p.limit}`;
  return { compile: () => statement.compile(db) };
}, long);
