import type { Reader } from '../../../src/db/database.ts';
import { byNumber } from '../../../src/db/statements/keyed-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { insufficientUnpaid, invalidTransition } from '../payout/apply-payout-change.ts';
import { inReview } from '../payout/objections.ts';
import { belowThreshold, noPayoutDetails } from '../payout/payout-rules.ts';
import { poolOf, type PayoutStatus } from '../payout/payout-status.ts';
import { findTransition } from '../payout/transitions.ts';
import { threshold } from '../settings.ts';

type PayoutColumns = Pick<
  RowOf<'payouts'>,
  | 'coupon_id'
  | 'user_id'
  | 'amount'
  | 'method'
  | 'method_type'
  | 'status'
  | 'details'
  | 'requested_at'
>;

const poolNames = ['unpaid', 'pending_payout', 'paid'] as const;

/** The pools of accounts, in minor units. */
export interface Pools {
  unpaid: number;
  pending_payout: number;
  paid: number;
}

/** A payout with what decides about a change of its status. */
interface ForecastRow extends PayoutColumns, Pools {
  id: number;
  affiliate_status: string | null;
  /** When the affiliate saved its current payout details. */
  details_at: number | null;
}

const byId = byNumber<ForecastRow>((db, isKey) =>
  db
    .selectFrom('payouts')
    .innerJoin('coupons', 'coupons.id', 'payouts.coupon_id')
    .leftJoin('former_accounts', (join) =>
      join
        .onRef('former_accounts.coupon_id', '=', 'payouts.coupon_id')
        .onRef('former_accounts.user_id', '=', 'payouts.user_id'),
    )
    .leftJoin('affiliates', 'affiliates.user_id', 'payouts.user_id')
    .leftJoin('payout_details', 'payout_details.user_id', 'payouts.user_id')
    .select([
      'payouts.id',
      'payouts.coupon_id',
      'payouts.amount',
      'payouts.method',
      'payouts.method_type',
      'payouts.status',
      'payouts.details',
      'payouts.requested_at',
      'payouts.user_id',
      'affiliates.status as affiliate_status',
      'payout_details.updated_at as details_at',
    ])
    .select((eb) =>
      poolNames.map((name) =>
        // No row means today's account: the coupon has it.
        eb.fn.coalesce(`former_accounts.${name}`, `coupons.${name}`).as(name),
      ),
    )
    .where(isKey('payouts.id')),
);

export async function findForForecast(
  db: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ForecastRow>> {
  return new Map((await db.allByKeys(byId, ids)).map((row) => [row.id, row]));
}

export interface ForecastProblem {
  readonly payoutId: number;
  readonly code: string;
  readonly message: string;
  /** Whether the payout would not be changed. */
  readonly blocks: boolean;
}

export interface Forecast {
  /** The payouts that would be changed. */
  readonly changed: readonly ForecastRow[];
  readonly problems: readonly ForecastProblem[];
  /** The sums of their accounts. */
  readonly before: Pools;
  readonly after: Pools;
}

interface Forecasted {
  readonly rows: ReadonlyMap<number, ForecastRow>;
  /** By the id of the payout, why it must not be paid now. */
  readonly objections: ReadonlyMap<number, string>;
}

/** What a change of these payouts to a status would do, in this order. */
export function forecast(
  site: Site,
  ids: readonly number[],
  { rows, objections }: Forecasted,
  status: PayoutStatus,
): Forecast {
  const accounts = new Map<string, Pools>();
  const changed: ForecastRow[] = [];
  const problems: ForecastProblem[] = [];
  const before = { unpaid: 0, pending_payout: 0, paid: 0 };
  for (const id of ids) {
    const row = rows.get(id);
    const key = `${row?.coupon_id} ${row?.user_id}`;
    const pools = row && (accounts.get(key) ?? poolsOf(row));
    const refusal = refusalOf(row, pools, status) ?? objectionOf(objections.get(id));
    if (refusal) problems.push({ payoutId: id, ...refusal, blocks: true });
    if (!row || !pools || refusal) continue;
    if (!accounts.has(key)) add(before, pools);
    accounts.set(key, pools);
    pools[pool(row.status)] -= row.amount;
    pools[pool(status)] += row.amount;
    changed.push(row);
    for (const warning of warningsOf(site, row, status)) {
      problems.push({ payoutId: id, ...warning, blocks: false });
    }
  }
  const after = { unpaid: 0, pending_payout: 0, paid: 0 };
  for (const pools of accounts.values()) add(after, pools);
  return { changed, problems, before, after };
}

/** The cast is safe: no payout is in the other two pools. */
const pool = (status: PayoutStatus) => poolOf[status] as keyof Pools;

function poolsOf({ unpaid, pending_payout, paid }: ForecastRow): Pools {
  return { unpaid, pending_payout, paid };
}

function add(sums: Pools, pools: Pools): void {
  for (const name of poolNames) sums[name] += pools[name];
}

type Reason = Pick<ForecastProblem, 'code' | 'message'>;

function objectionOf(message: string | undefined): Reason | undefined {
  return message === undefined ? undefined : { code: inReview.code, message };
}

function refusalOf(
  row: ForecastRow | undefined,
  pools: Pools | undefined,
  to: PayoutStatus,
): Reason | undefined {
  if (!row || !pools) return generalErrors.notFound;
  if (row.status === to) return generalErrors.noChange;
  if (!findTransition('admin', row.status, to)) {
    const message = `A payout cannot go from ${row.status} to ${to}.`;
    return { code: invalidTransition.code, message };
  }
  const takesUnpaid = pool(row.status) === 'unpaid' && pool(to) !== 'unpaid';
  return takesUnpaid && pools.unpaid < row.amount ? insufficientUnpaid : undefined;
}

/** What should be looked at before money is sent. */
function warningsOf(site: Site, row: ForecastRow, to: PayoutStatus): Reason[] {
  if (to === 'cancel') return [];
  const warnings: Reason[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  if (row.affiliate_status === 'suspended') {
    warn(generalErrors.suspended.code, 'The affiliate is suspended.');
  }
  if (row.details === null) {
    warn(
      noPayoutDetails.code,
      'The payout has no payout details, so it cannot be put into a file.',
    );
  } else if (row.details_at !== null && row.details_at > row.requested_at) {
    const message = 'The affiliate has changed its payout details since it requested the payout.';
    warn(DETAILS_CHANGED, message);
  }
  if (site.currency.toMajor(row.amount) < site.settings.get(threshold)) {
    warn(belowThreshold.code, "The amount is below the store's minimum payout.");
  }
  return warnings;
}

const DETAILS_CHANGED = 'svc_api_details_changed';
