import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { addDays, daysBetween } from '../../kernel/call/series.ts';
import { type Caller, isPluginAdmin } from '../../kernel/declare/caller.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { needs } from '../../kernel/declare/overview.ts';
import { CurrencyCode, Day, LocalTime, Nullable } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { sumReached } from '../bonuses/index.ts';
import { conversionRate } from '../clicks/index.ts';
import { earnersOfRange, ReportCache, sumClicks, sumStore } from '../reports/index.ts';
import { findUser, toPerson, toUser, UserSchema } from '../users/index.ts';
import { openSteps } from './open-steps.ts';

const DEFAULT_DAYS = 30;
const DAYS_MAX = 400;
const TOP = 5;
const NAMED_MAX = 3;
const CACHED_MS = 60_000;
/** With more orders in the period than this, adding up its affiliates takes noticeable time. */
const ORDERS_CACHED = 1_000;

const FiguresSchema = Type.Object({
  clicks: Type.Integer({ description: 'Clicks on referral links.' }),
  conversions: Type.Integer({ description: 'Clicks that led to an order.' }),
  conversion_rate: Type.Number({ description: 'Percentage, with two decimals.' }),
  orders: Type.Integer({ description: 'Referred orders that count.' }),
  sales: Type.Number({ description: 'Their sales, net of refunds.' }),
  commission: Type.Number({
    description: 'Their commission, with the shares of the levels above.',
  }),
  upline_commission: Type.Number({ description: 'The part of it that is those shares.' }),
  bonuses: Type.Integer({ description: 'Bonuses reached and not taken back.' }),
  bonus_amount: Type.Number({ description: 'Their sum, paid or held.' }),
});

const PeriodSchema = Type.Object({
  from: Day('The first day.'),
  to: Day('The last day.'),
  figures: FiguresSchema,
});

const OverviewSchema = Type.Object(
  {
    generated: LocalTime('When it was read.'),
    currency: CurrencyCode,
    needs: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The kind of task, for programs.' }),
        title: Type.String({ description: 'The task, for people.' }),
        count: Type.Integer({ description: 'How many of them.' }),
        amount: Nullable(Type.Number({ description: 'The money that it is about.' })),
        items: Type.Array(
          Type.Object({
            id: Type.Integer(),
            name: Type.String({ description: 'The name or the address of the object.' }),
            reason: Type.String({ description: 'Why it needs attention; may be empty.' }),
          }),
          { description: `Which ones, at most ${NAMED_MAX}; empty where there can be many.` },
        ),
      }),
      { description: 'Pending tasks that the caller can act on.' },
    ),
    steps: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The step, for programs.' }),
        title: Type.String({ description: 'The step, for people.' }),
        done: Type.Boolean(),
      }),
      { description: 'The checklist of a new store; empty once it is done.' },
    ),
    period: PeriodSchema,
    previous: PeriodSchema,
    top_affiliates: Type.Array(
      Type.Object({
        user: UserSchema,
        orders: Type.Integer(),
        sales: Type.Number(),
        commission: Type.Number(),
      }),
      { description: 'Of the period, highest commission first.' },
    ),
  },
  {
    $id: 'Overview',
    examples: [
      {
        generated: '2026-02-12T09:30:00',
        currency: 'USD',
        needs: [
          {
            name: 'payouts_to_review',
            title: 'Payouts to review',
            count: 2,
            amount: 90,
            items: [],
          },
        ],
        steps: [],
        period: {
          from: '2026-01-14',
          to: '2026-02-12',
          figures: {
            clicks: 1920,
            conversions: 96,
            conversion_rate: 5,
            orders: 96,
            sales: 11760,
            commission: 1176,
            upline_commission: 0,
            bonuses: 3,
            bonus_amount: 150,
          },
        },
        previous: {
          from: '2025-12-15',
          to: '2026-01-13',
          figures: {
            clicks: 1800,
            conversions: 81,
            conversion_rate: 4.5,
            orders: 81,
            sales: 9900,
            commission: 990,
            upline_commission: 0,
            bonuses: 3,
            bonus_amount: 150,
          },
        },
        top_affiliates: [
          {
            user: { id: 7, display_name: 'Maya Ortiz', login: 'maya', email: 'maya@example.com' },
            orders: 24,
            sales: 2940,
            commission: 294,
          },
        ],
      },
    ],
  },
);

type Overview = Static<typeof OverviewSchema>;

export const getOverview = operation({
  method: 'GET',
  namespace: 'store',
  path: '/overview',
  summary: 'Get what waits for the team, and the figures of a period against the one before',
  description:
    'Clicks, and in a large store the top affiliates, are cached for a minute. The period before has the ' +
    'same number of days.',
  access: 'admin',
  scope: 'read',
  long: true,
  query: Type.Object({
    from: Type.Optional(Day(`The first day; ${DEFAULT_DAYS - 1} days before \`to\` if left out.`)),
    to: Type.Optional(Day('The last day; today if left out.')),
  }),
  response: OverviewSchema,
  check(input, { invalid }, site) {
    if ('from' in invalid || 'to' in invalid) return;
    const { from, to } = periodOf(input, site, site.clock());
    // Without `to`, a period that has not begun is empty, as everywhere.
    if (from > to && input.to !== undefined) invalid['from'] = `must not be after ${to}`;
    else if (daysBetween(from, to) >= DAYS_MAX) {
      invalid['from'] = `must be at most ${DAYS_MAX - 1} days before ${to}`;
    }
  },
  async handle({ db, site, caller, nowMs }, input) {
    const period = periodOf(input, site, nowMs);
    const previous = periodBefore(period);
    const [open, steps, now, before] = await Promise.all([
      openNeeds(db, site, caller, nowMs),
      openSteps(db, site),
      figuresOf(db, site, period, nowMs),
      figuresOf(db, site, previous, nowMs),
    ]);
    const top = () => topOf(db, site, caller, period);
    const { from, to } = period;
    return {
      generated: site.calendar.toLocal(nowMs),
      currency: site.currency.code,
      needs: open,
      steps,
      period: { ...period, figures: now },
      previous: { ...previous, figures: before },
      top_affiliates:
        now.orders > ORDERS_CACHED
          ? await tops.find(site, `${from}/${to}`, nowMs, top)
          : await top(),
    };
  },
});

interface Period {
  from: string;
  to: string;
}

function periodOf({ from, to }: Partial<Period>, site: Site, nowMs: number): Period {
  const last = to ?? site.calendar.dayOf(nowMs);
  return { from: from ?? addDays(last, 1 - DEFAULT_DAYS), to: last };
}

function periodBefore({ from, to }: Period): Period {
  const last = addDays(from, -1);
  return { from: addDays(last, -daysBetween(from, to)), to: last };
}

const clickSums = new ReportCache<{ clicks: number; conversions: number }>(CACHED_MS);
const tops = new ReportCache<Overview['top_affiliates']>(CACHED_MS);

async function figuresOf(db: Reader, site: Site, { from, to }: Period, nowMs: number) {
  const days = { first: from, last: to };
  const [sums, bonuses, clicks] = await Promise.all([
    sumStore(db, days),
    sumReached(db, site, days),
    clickSums.find(site, `${from}/${to}`, nowMs, () => sumClicks(db, days)),
  ]);
  return {
    ...clicks,
    conversion_rate: conversionRate(clicks),
    orders: sums.orders_count,
    sales: site.currency.toMajor(sums.total_sales),
    commission: site.currency.toMajor(sums.total_commission + sums.upline_commission),
    upline_commission: site.currency.toMajor(sums.upline_commission),
    bonuses: bonuses.count,
    bonus_amount: site.currency.toMajor(bonuses.amount),
  };
}

/** Managers and administrators see the same fields of an affiliate. */
async function topOf(db: Reader, site: Site, caller: Caller, { from, to }: Period) {
  const days = { first: from, last: to };
  const earners = await earnersOfRange(db, days);
  return Promise.all(
    earners.top(TOP).map(async (earner) => ({
      user: toUser(toPerson((await findUser(db, earner.user_id))!), caller),
      orders: earner.orders,
      sales: site.currency.toMajor(earner.sales),
      commission: site.currency.toMajor(earner.commission + earner.upline_commission),
    })),
  );
}

/** What waits now, without what the caller cannot act on. */
async function openNeeds(db: Reader, site: Site, caller: Caller, nowMs: number) {
  const own = site.registry
    .contributions(needs)
    .filter(({ access }) => access === 'admin' || isPluginAdmin(caller));
  const sizes = await Promise.all(own.map((need) => need.read(db, site, nowMs)));
  return own.flatMap(({ name, title }, i) => {
    const { count, amount, items = [] } = sizes[i]!;
    if (count === 0) return [];
    return [
      {
        name,
        title,
        count,
        amount: amount === undefined ? null : site.currency.toMajor(amount),
        items: items.slice(0, NAMED_MAX),
      },
    ];
  });
}
