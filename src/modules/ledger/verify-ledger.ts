import { setImmediate as nextTurn } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { query, type Query } from '../../db/statements/query.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Point } from '../../kernel/declare/point.ts';
import { Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';

const checked = ['unpaid', 'awaiting', 'pending_payout', 'paid'] as const;
type Checked = (typeof checked)[number];

const DifferenceSchema = Type.Object(
  {
    coupon_id: Type.Integer(),
    payout_id: Nullable(
      Type.Integer({
        description: 'The payout whose ledger entries differ; null for a balance of the coupon.',
      }),
    ),
    pool: StringEnum(checked),
    stored: Type.Number(),
    recomputed: Type.Number(),
    from: Type.String({
      description: 'The source of the recomputed value: `ledger`, `payouts`, `bonuses`, `shares`.',
    }),
  },
  { $id: 'BalanceDifference' },
);

/** A stored balance, or the balance of a payout in the ledger, that differs from the recomputed one, in minor units. */
export interface Difference {
  coupon_id: number;
  payout_id: number | null;
  pool: Checked;
  stored: number;
  recomputed: number;
  from: string;
}

/** Another source that the balances of the coupons in a range of ids must agree with. */
export type LedgerAudit = (
  db: Reader,
  site: Site,
  coupons: { first: number; last: number },
) => Promise<Difference[]>;

export const ledgerAudits = new Point<LedgerAudit>('ledger.audits');

const VerificationSchema = Type.Object(
  {
    ok: Type.Boolean({ description: 'There are no differences.' }),
    coupons: Type.Integer({ description: 'How many were checked.' }),
    entries: Type.Integer({ description: 'How many ledger entries they have.' }),
    differences: Type.Array(DifferenceSchema, {
      description:
        'Balances that differ from the recomputed ones, and payouts and bonuses that differ from their ledger entries.',
    }),
  },
  {
    $id: 'LedgerVerification',
    examples: [{ ok: true, coupons: 21, entries: 214, differences: [] }],
  },
);
type Verification = Static<typeof VerificationSchema>;

export const verifyLedger = operation({
  method: 'GET',
  namespace: 'store',
  path: '/ledger/verify',
  summary: 'Recompute every balance from the ledger and report differences',
  description: 'Requests at the same time share one run.',
  access: 'admin',
  scope: 'read',
  response: VerificationSchema,
  handle: ({ site }) => runningOf(site).join(() => verify(site)),
});

/** The run of a site that is under way. */
class SharedRun {
  #running: Promise<Verification> | undefined;

  join(start: () => Promise<Verification>): Promise<Verification> {
    this.#running ??= start().finally(() => (this.#running = undefined));
    return this.#running;
  }
}

const runningOf = perSite(() => new SharedRun());

/** Reads everything in one snapshot, because the entries of one coupon are read by several statements. */
function verify(site: Site): Promise<Verification> {
  return site.database.snapshot(async (db) => {
    const sums = await sumEntries(db);
    let coupons = 0;
    let entries = 0;
    const differences: Difference[] = [];
    const audits = site.registry.allContributions(ledgerAudits);
    for await (const rows of slices(db, balances, COUPONS_AT_ONCE)) {
      coupons += rows.length;
      for (const row of rows) {
        entries += sums.get(row.id)?.entries ?? 0;
        differences.push(...differencesOf(row, sums.get(row.id) ?? NOTHING));
      }
      // Outside the snapshot, which a missing table would end on PostgreSQL: an audit compares within one statement.
      for (const audit of audits) {
        const range = { first: rows[0]!.id, last: rows.at(-1)!.id };
        differences.push(...(await audit(site.database.read, site, range)));
      }
    }
    const toMajor = (minor: number) => site.currency.toMajor(minor);
    return {
      ok: differences.length === 0,
      coupons,
      entries,
      differences: differences.map((difference) => ({
        ...difference,
        stored: toMajor(difference.stored),
        recomputed: toMajor(difference.recomputed),
      })),
    };
  });
}

type Balances = { id: number } & Record<Checked, number>;
type Entry = { id: number; coupon_id: number; from_pool: string; to_pool: string; amount: number };
type Sums = { entries: number } & Record<Checked, number>;

const NOTHING: Sums = { entries: 0, unpaid: 0, awaiting: 0, pending_payout: 0, paid: 0 };

/** Adds up the ledger entries by coupon: what was moved to a pool minus what was moved from it. */
async function sumEntries(db: Reader): Promise<Map<number, Sums>> {
  const sums = new Map<number, Sums>();
  for await (const rows of slices(db, entriesOf, ENTRIES_AT_ONCE)) {
    for (const { coupon_id, from_pool, to_pool, amount } of rows) {
      let sum = sums.get(coupon_id);
      if (!sum) sums.set(coupon_id, (sum = { ...NOTHING }));
      sum.entries += 1;
      for (const pool of checked) {
        if (pool === to_pool) sum[pool] += amount;
        else if (pool === from_pool) sum[pool] -= amount;
      }
    }
  }
  return sums;
}

function differencesOf(row: Balances, sums: Sums): Difference[] {
  return checked
    .filter((pool) => row[pool] !== sums[pool])
    .map((pool) => ({
      coupon_id: row.id,
      payout_id: null,
      pool,
      stored: row[pool],
      recomputed: sums[pool],
      from: 'ledger',
    }));
}

interface Slice {
  after: number;
  limit: number;
}

const balances = query<Slice, Balances>((db, p) =>
  db
    .selectFrom('coupons')
    .select(['id', ...checked])
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

const entriesOf = query<Slice, Entry>((db, p) =>
  db
    .selectFrom('ledger')
    .select(['id', 'coupon_id', 'from_pool', 'to_pool', 'amount'])
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** A statement on SQLite blocks the event loop, so each reads only as much as takes a few milliseconds. */
const COUPONS_AT_ONCE = 200;
const ENTRIES_AT_ONCE = 1_000;

async function* slices<R extends { id: number }>(
  db: Reader,
  rowsAfter: Query<Slice, R>,
  limit: number,
): AsyncGenerator<R[]> {
  let after = 0;
  for (;;) {
    const rows = await db.all(rowsAfter, { after, limit });
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1)!.id;
    await nextTurn();
  }
}
