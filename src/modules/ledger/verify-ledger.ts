import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Point } from '../../kernel/declare/point.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';

const checked = ['unpaid', 'awaiting', 'pending_payout', 'paid'] as const;
type Checked = (typeof checked)[number];

const DifferenceSchema = Type.Object(
  {
    coupon_id: Type.Integer(),
    pool: StringEnum(checked),
    stored: Type.Number(),
    recomputed: Type.Number(),
    from: Type.String({ description: 'What it was recomputed from: `journal`, `payouts`.' }),
  },
  { $id: 'BalanceDifference' },
);

/** A stored balance that differs from the recomputed one, in minor units. */
export interface Difference {
  coupon_id: number;
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

export const verifyLedger = operation({
  method: 'GET',
  namespace: 'store',
  path: '/ledger/verify',
  summary: 'Recompute every balance from the ledger and report differences',
  access: 'admin',
  scope: 'read',
  response: Type.Object(
    {
      ok: Type.Boolean({ description: 'There are no differences.' }),
      coupons: Type.Integer({ description: 'How many were checked.' }),
      entries: Type.Integer({ description: 'How many ledger entries they have.' }),
      differences: Type.Array(DifferenceSchema, {
        description: 'Balances that differ from the recomputed ones.',
      }),
    },
    {
      $id: 'LedgerVerification',
      examples: [{ ok: true, coupons: 21, entries: 214, differences: [] }],
    },
  ),
  async handle({ db, site }) {
    let coupons = 0;
    let entries = 0;
    const differences: Difference[] = [];
    const audits = site.registry.contributions(ledgerAudits);
    for await (const rows of recomputed(db)) {
      coupons += rows.length;
      entries += rows.reduce((sum, row) => sum + row.entries, 0);
      differences.push(...rows.flatMap(differencesOf));
      for (const audit of audits) {
        differences.push(...(await audit(db, site, { first: rows[0]!.id, last: rows.at(-1)!.id })));
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
  },
});

type Recomputed = { id: number; entries: number } & Record<Checked | `journal_${Checked}`, number>;

function differencesOf(row: Recomputed): Difference[] {
  return checked
    .filter((pool) => row[pool] !== row[`journal_${pool}`])
    .map((pool) => ({
      coupon_id: row.id,
      pool,
      stored: row[pool],
      recomputed: row[`journal_${pool}`],
      from: 'journal',
    }));
}

const AT_ONCE = 200;

/** The balance of a pool by the ledger entries: what was moved to it minus what was moved from it. */
function held(pool: Checked) {
  const amount = sql`case when to_pool = ${sql.lit(pool)} then amount
    when from_pool = ${sql.lit(pool)} then -amount else 0 end`;
  return sql<number>`coalesce(sum(${amount}), 0)`.as(`journal_${pool}`);
}

/** Reads stored and recomputed balances in one statement, so that both are of the same moment. */
const recompute = query<{ after: number; limit: number }, Recomputed>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom('coupons')
        .select(['id', ...checked])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.limit)
        .as('c'),
    )
    .leftJoin('journal', 'journal.coupon_id', 'c.id')
    .select(['c.id', 'c.unpaid', 'c.awaiting', 'c.pending_payout', 'c.paid'])
    .select((eb) => eb.fn.count<number>('journal.id').as('entries'))
    .select(checked.map(held))
    .groupBy(['c.id', 'c.unpaid', 'c.awaiting', 'c.pending_payout', 'c.paid'])
    .orderBy('c.id'),
);

/** A few coupons per statement, so that other requests run in between. */
async function* recomputed(db: Reader): AsyncGenerator<Recomputed[]> {
  let after = 0;
  for (;;) {
    const rows = await db.all(recompute, { after, limit: AT_ONCE });
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.id;
    await nextTurn();
  }
}
