import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { long, query, type Query } from '../../db/statements/query.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Point } from '../../kernel/declare/point.ts';
import { Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { fromOwnerId, toOwnerId } from '../coupons/index.ts';
import { auditOwners } from './audit-owners.ts';
import { COUPONS_AT_ONCE, ROWS_AT_ONCE } from './audit-slices.ts';
import { checked, type Checked, type Difference } from './difference.ts';

const DifferenceSchema = Type.Object(
  {
    coupon_id: Type.Integer(),
    affiliate_id: Nullable(
      Type.Integer({ description: 'The affiliate whose account it is; null for none.' }),
    ),
    payout_id: Nullable(
      Type.Integer({
        description: 'The payout whose ledger entries differ; null for a balance of the account.',
      }),
    ),
    pool: StringEnum(checked),
    stored: Type.Number(),
    recomputed: Type.Number(),
    from: Type.String({
      description:
        'The source of the recomputed value: `ledger`, `payouts`, `bonuses`, `shares`; `owners` for orders of an affiliate who ' +
        'never had the coupon, `limits` for what limits of a sum hold of an order.',
    }),
  },
  { $id: 'BalanceDifference' },
);

/** Another source that the balances on the coupons in a range of ids must agree with. */
export type LedgerAudit = (
  db: Reader,
  site: Site,
  coupons: { first: number; last: number },
) => Promise<Difference[]>;

export const ledgerAudits = new Point<LedgerAudit>('ledger.audits');

/** The same for a source that is not read by coupon. */
export type WholeAudit = (db: Reader) => Promise<Difference[]>;

export const wholeAudits = new Point<WholeAudit>('ledger.whole-audits');

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
  // A request that joins a run costs nothing more.
  long: (_input, site) => !runningOf(site).isUnderWay,
  response: VerificationSchema,
  handle: ({ site }) => runningOf(site).join(() => verify(site)),
});

/** The run of a site that is under way. */
class SharedRun {
  #running: Promise<Verification> | undefined;

  get isUnderWay(): boolean {
    return this.#running !== undefined;
  }

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
      const range = { first: rows[0]!.id, last: rows.at(-1)!.id };
      for (const row of [...rows.map(toAccount), ...(await formerBalances(db, range))]) {
        const sum = sums.get(keyOf(row));
        sums.delete(keyOf(row));
        entries += sum?.entries ?? 0;
        differences.push(...differencesOf(row, sum ?? nothing(row)));
      }
      // Outside the snapshot, which a missing table would end on PostgreSQL: an audit compares within one statement.
      for (const audit of audits) {
        differences.push(...(await audit(site.database.read, site, range)));
      }
    }
    // Entries of an account that is not there.
    for (const sum of sums.values()) {
      entries += sum.entries;
      differences.push(...differencesOf(nothing(sum), sum));
    }
    for (const audit of [auditOwners, ...site.registry.allContributions(wholeAudits)]) {
      differences.push(...(await audit(db)));
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

interface Account {
  coupon_id: number;
  owner_id: number;
}

type Balances = { id: number; user_id: number | null } & Record<Checked, number>;
type AccountBalances = Account & Record<Checked, number>;
type Entry = Account & { id: number; from_pool: string; to_pool: string; amount: number };
type Sums = AccountBalances & { entries: number };

const keyOf = ({ coupon_id, owner_id }: Account) => `${coupon_id} ${owner_id}`;

const nothing = ({ coupon_id, owner_id }: Account): Sums => ({
  coupon_id,
  owner_id,
  entries: 0,
  unpaid: 0,
  awaiting: 0,
  pending_payout: 0,
  paid: 0,
});

/** The account of a coupon's affiliate of today. */
const toAccount = ({ id, user_id, ...balances }: Balances): AccountBalances => ({
  ...balances,
  coupon_id: id,
  owner_id: toOwnerId(user_id),
});

/** Adds up the ledger entries by account: what was moved to a pool minus what was moved from it. */
async function sumEntries(db: Reader): Promise<Map<string, Sums>> {
  const sums = new Map<string, Sums>();
  for await (const rows of slices(db, entriesOf, ROWS_AT_ONCE)) {
    for (const { from_pool, to_pool, amount, ...account } of rows) {
      const key = keyOf(account);
      let sum = sums.get(key);
      if (!sum) sums.set(key, (sum = nothing(account)));
      sum.entries += 1;
      for (const pool of checked) {
        if (pool === to_pool) sum[pool] += amount;
        else if (pool === from_pool) sum[pool] -= amount;
      }
    }
  }
  return sums;
}

function differencesOf(row: AccountBalances, sums: Sums): Difference[] {
  return checked
    .filter((pool) => row[pool] !== sums[pool])
    .map((pool) => ({
      coupon_id: row.coupon_id,
      affiliate_id: fromOwnerId(row.owner_id),
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

const balances = query<Slice, Balances>(
  (db, p) =>
    db
      .selectFrom('coupons')
      .select(['id', 'user_id', ...checked])
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  long,
);

const formerBalances = readAll<{ first: number; last: number }, AccountBalances>((db, p) =>
  db
    .selectFrom('former_accounts')
    .select(['coupon_id', 'user_id as owner_id', ...checked])
    .where('coupon_id', '>=', p.first)
    .where('coupon_id', '<=', p.last),
);

const entriesOf = query<Slice, Entry>(
  (db, p) =>
    db
      .selectFrom('ledger')
      .select(['id', 'coupon_id', 'owner_id', 'from_pool', 'to_pool', 'amount'])
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  long,
);

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
  }
}
