import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { readByNumbers, readOne } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import { jsonList, updateRows } from '../../db/statements/rows-query.ts';
import type { RowOf } from '../../db/tables.ts';
import { addFormerClicks, foldCode, type TimedClicks } from '../coupons/index.ts';
import { listClickDays } from './click-days-rows.ts';
import { addToClickSums } from './click-sums.ts';
import { CAMPAIGNS_PER_DAY, OTHER_CAMPAIGNS, type NewClick } from './click.ts';
import {
  countSource,
  namesOf,
  readCounted,
  SourceSums,
  type CountedSource,
} from './source-rows.ts';
import type { Source } from './source.ts';

type ClickRow = RowOf<'clicks'>;
type RollUpKey = Pick<ClickRow, 'coupon_id' | 'campaign' | 'day'>;
export type CreditedClick = Pick<ClickRow, 'id' | 'coupon_id' | 'source'>;

/** A coupon that can be clicked. */
export interface ClickableCoupon {
  id: number;
  code: string;
}

/** Identifies a coupon by its id or, without one, by its code. */
interface CouponReference {
  id?: number | undefined;
  code?: string | undefined;
}

/** Codes are not unique. Clicks and orders both go to the oldest coupon that has an affiliate. */
const clickable = query<CouponReference, ClickableCoupon>((db, p, given, { unindexed }) =>
  db
    .selectFrom('coupons')
    .select(['id', 'code'])
    .where(unindexed('status'), '=', 'active')
    .$if(given('id'), (q) => q.where('id', '=', p.id))
    .$if(given('code'), (q) => q.where('code_folded', '=', p.code))
    .orderBy((eb) => eb('user_id', 'is', null))
    .orderBy('id')
    .limit(1),
);

type InsertedClick = NewClick & { source?: string };

/** When the affiliate of today got the coupon of a click. */
const ownedSince = sql<
  number | null
>`(select owned_since from coupons where coupons.id = clicks.coupon_id)`.as('owned_since');

type InsertedId = Pick<TimedClicks, 'owned_since'> & { id: number };

const insert = rowQuery<InsertedClick, InsertedId>((db, row) =>
  db.insertInto('clicks').values(row).returning(['id', ownedSince]),
);

const countClick = query<RollUpKey>((db, p) =>
  db
    .insertInto('click_days')
    .values({
      coupon_id: p.coupon_id,
      campaign: p.campaign,
      day: p.day,
      clicks: 1,
      roster_due: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['coupon_id', 'day', 'campaign'])
        .doUpdateSet((eb) => ({ clicks: eb('click_days.clicks', '+', 1), roster_due: 1 })),
    ),
);

const campaignsOfDay = query<RollUpKey, { campaigns: number; known: number }>((db, p) =>
  db
    .selectFrom('click_days')
    .select((eb) => [
      eb.fn.countAll<number>().as('campaigns'),
      eb.fn
        .coalesce(
          eb.fn.sum<number>(
            eb.case().when('campaign', '=', p.campaign).then(eb.lit(1)).else(eb.lit(0)).end(),
          ),
          eb.lit(0),
        )
        .as('known'),
    ])
    .where('coupon_id', '=', p.coupon_id)
    .where('day', '=', p.day),
);

const countConversions = updateRows<RollUpKey & { conversions: number }>('click_days', {
  key: ['coupon_id', 'day', 'campaign'],
  set: [],
  add: ['conversions'],
});

/** The order that a click led to. */
export interface Conversion {
  clickId: number;
  orderId: number;
}

type ConvertedClick = RollUpKey &
  Pick<ClickRow, 'source' | 'clicked_at'> &
  Pick<TimedClicks, 'owned_since'>;

/** A click that already led to an order keeps that order. */
const convert = query<{ conversions: string }, ConvertedClick>((db, p, _given, dialect) => {
  const given = dialect.jsonRows(p.conversions, { clickId: 'number', orderId: 'number' });
  const statement = sql<ConvertedClick>`update clicks set order_id = given."orderId" from ${given}
    where clicks.id = given."clickId" and clicks.order_id is null
    returning coupon_id, campaign, day, source, clicked_at, ${ownedSince}`;
  return { compile: () => statement.compile(db) };
});

type DatedClick = CreditedClick & Pick<ClickRow, 'clicked_at'>;

export const findClicks = readByNumbers<DatedClick>((db, isKey) =>
  db.selectFrom('clicks').select(['id', 'coupon_id', 'source', 'clicked_at']).where(isKey('id')),
);

/** A visitor, and the period in which the click must have happened. */
export interface VisitorSpan {
  visitor_hash: string;
  since: number;
  until: number;
}

type VisitorClick = CreditedClick & VisitorSpan;

/** One index lookup per visitor and span, no matter how many clicks the visitor has. */
const lastOfVisitors = query<{ spans: string }, VisitorClick>((db, p, _given, dialect) => {
  const given = dialect.jsonRows(p.spans, {
    visitor_hash: 'text',
    since: 'number',
    until: 'number',
  });
  const statement = sql<VisitorClick>`select given.visitor_hash, given.since, given.until,
      clicks.id, clicks.coupon_id, clicks.source
    from ${given}
    join clicks on clicks.id = (select own.id from clicks as own
      where own.visitor_hash = given.visitor_hash
        and own.clicked_at between given.since and given.until
      order by own.clicked_at desc, own.id desc
      limit 1)`;
  return { compile: () => statement.compile(db) };
});

interface ClickFilter {
  coupon_id?: number | undefined;
  campaign?: string | undefined;
  first: string;
  last: string;
}

interface ClickSums {
  clicks: number;
  conversions: number;
}

export const sumClicks = readOne<ClickFilter, ClickSums>((db, p, given) =>
  db
    .selectFrom(given('coupon_id') ? 'click_days' : 'campaign_days')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('clicks'), eb.lit(0)).as('clicks'),
      eb.fn.coalesce(eb.fn.sum<number>('conversions'), eb.lit(0)).as('conversions'),
    ])
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .$if(given('coupon_id'), (q) => q.where('coupon_id', '=', p.coupon_id))
    .$if(given('campaign'), (q) => q.where('campaign', '=', p.campaign)),
);

export function findClickable(
  db: Reader,
  { id, code }: CouponReference,
): Promise<ClickableCoupon | undefined> {
  return db.first<CouponReference, ClickableCoupon>(
    clickable,
    id === undefined ? { code: foldCode(code!.trim()) } : { id },
  );
}

/** The same of the accounts of an affiliate. */
export async function sumOwnClicks(
  db: Reader,
  { first, last, ...filter }: ClickFilter & { user_id: number },
): Promise<ClickSums> {
  const sums = { clicks: 0, conversions: 0 };
  for (const day of await listClickDays(db, { ...filter, from: first, to: last })) {
    sums.clicks += day.clicks;
    sums.conversions += day.conversions;
  }
  return sums;
}

/** Inserts a click and counts it in the daily roll-up. */
export async function insertClick(
  tx: Transaction,
  given: NewClick,
  source?: Source,
): Promise<number> {
  const click = { ...given, campaign: await countedCampaign(tx, given) };
  const stored = source && (await countSource(tx, given, source));
  const row: InsertedClick = stored === undefined ? click : { ...click, source: stored };
  const { id, owned_since } = (await tx.first(insert, row))!;
  await tx.run(countClick, click);
  const { coupon_id, day, campaign } = click;
  const creative_id = source?.creative_id;
  const counts = { clicks: 1, conversions: 0 };
  addToClickSums(tx, { coupon_id, day, campaign, ...counts, creative_id });
  const counted = stored === undefined ? undefined : readCounted(stored);
  await addFormerClicks(tx, countedUnder({ ...click, owned_since }, counted, counts));
  return id;
}

/** The campaign to count the click under: `OTHER_CAMPAIGNS` once the coupon has too many that day. */
async function countedCampaign(tx: Transaction, click: NewClick): Promise<string> {
  if (click.campaign === '') return '';
  const { campaigns, known } = (await tx.first(campaignsOfDay, click))!;
  return known > 0 || campaigns < CAMPAIGNS_PER_DAY ? click.campaign : OTHER_CAMPAIGNS;
}

/** Counts each click as converted the first time only. Runs two statements for any number of clicks. */
export async function convertClicks(
  tx: Transaction,
  conversions: readonly Conversion[],
): Promise<void> {
  if (conversions.length === 0) return;
  const converted = await tx.all(convert, { conversions: jsonList(conversions) });
  const rollUps = new Map<string, RollUpKey & { conversions: number }>();
  for (const { coupon_id, day, campaign } of converted) {
    const key = `${coupon_id} ${day} ${campaign}`;
    const rollUp = rollUps.get(key) ?? { coupon_id, day, campaign, conversions: 0 };
    rollUps.set(key, { ...rollUp, conversions: rollUp.conversions + 1 });
  }
  const sources = new SourceSums();
  const former: TimedClicks[] = [];
  const counts = { clicks: 0, conversions: 1 };
  for (const { source, ...click } of converted) {
    const counted = source === null ? undefined : readCounted(source);
    if (counted) sources.add(click, counted, counts);
    const { coupon_id, day, campaign } = click;
    addToClickSums(tx, { coupon_id, day, campaign, ...counts, creative_id: counted?.creative_id });
    former.push(...countedUnder(click, counted, counts));
  }
  await tx.runMany(countConversions, [...rollUps.values()]);
  await sources.write(tx);
  await addFormerClicks(tx, former);
}

function countedUnder(
  {
    coupon_id,
    day,
    campaign,
    clicked_at,
    owned_since,
  }: RollUpKey & Pick<TimedClicks, 'clicked_at' | 'owned_since'>,
  counted: CountedSource | undefined,
  counts: ClickSums,
): TimedClicks[] {
  const of = (kind: TimedClicks['kind'], name: string) => ({
    coupon_id,
    day,
    clicked_at,
    owned_since,
    kind,
    name,
    ...counts,
  });
  return [of('campaign', campaign), ...namesOf(counted).map(([kind, name]) => of(kind, name))];
}

/** The last click of each visitor within its span, if any, in one statement. */
export async function findLastClicks(
  db: Reader,
  spans: readonly VisitorSpan[],
): Promise<VisitorClick[]> {
  return spans.length === 0 ? [] : db.all(lastOfVisitors, { spans: jsonList(spans) });
}
