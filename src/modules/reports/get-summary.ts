import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import {
  bounds,
  effectiveRange,
  isRange,
  rangeParameters,
  type DateRange,
} from '../../kernel/call/date-range.ts';
import type { ActiveDeclarations } from '../../kernel/declare/active-declarations.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { LocalTime, Nullable } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { countAllAffiliates } from '../affiliates/index.ts';
import { conversionRate } from '../clicks/index.ts';
import { countAllCoupons, toFigures, toOpenBalances } from '../coupons/index.ts';
import { applyStatusesNow } from '../orders/index.ts';
import { findUser, toPerson, toUser, UserSchema } from '../users/index.ts';
import { earnersOfRange, sumCoupons } from './earners-rows.ts';
import type { Earner } from './earners.ts';
import { ReportCache } from './report-cache.ts';
import { sumClicks, sumStore } from './report-rows.ts';
import { reportSections } from './report-section.ts';

const CACHED_MS = 5 * 60_000;
/** A refresh applies changed status settings first, for at most this long. */
const APPLIED_WITHIN_MS = 5_000;

const Money = Type.Number();

const summaryOptions = {
  $id: 'ReportSummary',
  examples: [
    {
      generated: '2026-02-12T09:30:00',
      currency: 'USD',
      from: '2026-01-01',
      to: '2026-01-31',
      totals: {
        affiliates: 18,
        coupons: 21,
        orders_count: 96,
        total_sales: 11760,
        total_discount: 0,
        total_shipping: 0,
        total_commission: 1176,
        upline_commission: 0,
        unpaid_commission: 310.5,
        pending_order_commission: 65.5,
        pending_payout_commission: 0,
      },
      clicks: { clicks: 1920, conversions: 96, conversion_rate: 5 },
      top_affiliates: [
        {
          user: { id: 7, display_name: 'Maya Ortiz', login: 'maya', email: 'maya@example.com' },
          orders_count: 24,
          total_sales: 2940,
          total_commission: 294,
          upline_commission: 0,
        },
      ],
      payouts: { pending_count: 2, pending_amount: 90, paid_count: 5, paid_amount: 800 },
      cached: false,
    },
  ],
};

const CoreSchema = Type.Object(
  {
    generated: LocalTime('When the figures were computed.'),
    currency: Type.String({ description: "The store's currency, used for all amounts." }),
    from: Nullable(
      Type.String({ description: 'The first day of the requested range; null for all time.' }),
    ),
    to: Nullable(
      Type.String({ description: 'The last day of the requested range; null for all time.' }),
    ),
    totals: Type.Object({
      affiliates: Type.Integer(),
      coupons: Type.Integer(),
      orders_count: Type.Integer({ description: 'Number of referred orders.' }),
      total_sales: Money,
      total_discount: Money,
      total_shipping: Money,
      total_commission: Type.Number({
        description: 'Commissions of the affiliates who referred the orders.',
      }),
      upline_commission: Type.Number({ description: 'Commissions of the levels above them.' }),
      unpaid_commission: Type.Number({
        description: 'Like all balances, the current amount regardless of the range.',
      }),
      pending_order_commission: Money,
      pending_payout_commission: Money,
    }),
    clicks: Type.Object({
      clicks: Type.Integer(),
      conversions: Type.Integer(),
      conversion_rate: Type.Number({ description: 'Percentage, with two decimals.' }),
    }),
    top_affiliates: Type.Array(
      Type.Object({
        user: UserSchema,
        orders_count: Type.Integer(),
        total_sales: Money,
        total_commission: Money,
        upline_commission: Money,
      }),
      { description: 'Highest commission first.' },
    ),
    cached: Type.Boolean({ description: 'True if the figures come from the cache.' }),
  },
  summaryOptions,
);

type Summary = Omit<Static<typeof CoreSchema>, 'cached'>;

/** Includes the sections of all active modules. */
function SummarySchema(active: ActiveDeclarations): typeof CoreSchema {
  const sections = active.contributions(reportSections).map(({ fields }) => fields);
  const fields = sections.flatMap((section) => Object.entries(section));
  const properties = { ...CoreSchema.properties, ...Object.fromEntries(fields) };
  return Type.Object(properties, summaryOptions);
}

export const getSummary = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/reports/summary',
  summary: 'Get store-wide totals and top affiliates',
  description: 'The report is cached for five minutes; `refresh` recomputes it.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    ...rangeParameters,
    top: Type.Integer({
      minimum: 0,
      maximum: 50,
      default: 10,
      description: 'Number of affiliates in the list.',
    }),
    refresh: Type.Boolean({
      default: false,
      description: 'Recompute the report. Requires the write scope.',
    }),
  }),
  refresh: { parameter: 'refresh', scope: 'write' },
  long: (input, site) => keptSummary(input, site, site.clock()).report === undefined,
  response: SummarySchema,
  async handle({ db, site, caller, nowMs }, input) {
    const { key, range, report } = keptSummary(input, site, nowMs);
    if (report) return { ...(await report), cached: true };
    if (input.refresh) await applyStatusesNow(site, APPLIED_WITHIN_MS);
    const summary = await summaries.compute(site, key, nowMs, () =>
      summarize(db, site, caller, range, input.top, nowMs),
    );
    return { ...summary, cached: false };
  },
});

const summaries = new ReportCache<Summary>(CACHED_MS);

type Wanted = { from?: string; to?: string; top: number; refresh: boolean };

function keptSummary({ top, refresh, ...input }: Wanted, site: Site, nowMs: number) {
  const range = effectiveRange(input, site, nowMs);
  // The revision is part of the key, because sections change with the active modules.
  const key = `${range.from}/${range.to}/${top}/${site.registry.revision}`;
  return { key, range, report: refresh ? undefined : summaries.fresh(site, key, nowMs) };
}

async function summarize(
  db: Reader,
  site: Site,
  caller: Caller,
  range: DateRange,
  top: number,
  nowMs: number,
): Promise<Summary> {
  const days = bounds(range);
  const sections = site.registry.contributions(reportSections);
  const [sums, clicks, { balances, earners: ofAllTime }, ofRange, ...more] = await Promise.all([
    sumStore(db, days),
    sumClicks(db, days),
    sumCoupons(db),
    isRange(range) ? earnersOfRange(db, days) : undefined,
    ...sections.map((section) => section.read(db, site, range)),
  ]);
  const earners = (ofRange ?? ofAllTime).top(top);
  return {
    generated: site.calendar.toLocal(nowMs),
    currency: site.currency.code,
    ...range,
    ...Object.fromEntries(more.flatMap((section) => Object.entries(section))),
    totals: {
      affiliates: await countAllAffiliates(db, site),
      coupons: await countAllCoupons(db, site),
      ...toFigures(sums, site),
      ...toOpenBalances(balances, site),
    },
    clicks: { ...clicks, conversion_rate: conversionRate(clicks) },
    top_affiliates: await Promise.all(earners.map((earner) => toTop(db, site, caller, earner))),
  };
}

async function toTop(db: Reader, site: Site, caller: Caller, earner: Earner) {
  const user = (await findUser(db, earner.user_id))!;
  return {
    user: toUser(toPerson(user), caller),
    orders_count: earner.orders,
    total_sales: site.currency.toMajor(earner.sales),
    total_commission: site.currency.toMajor(earner.commission),
    upline_commission: site.currency.toMajor(earner.upline_commission),
  };
}
