import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import { operation } from '../../kernel/operation.ts';
import { StringEnum } from '../../kernel/schemas.ts';

const checked = ['unpaid', 'awaiting', 'pending_payout', 'paid'] as const;
type Checked = (typeof checked)[number];

const DifferenceSchema = Type.Object({
  coupon_id: Type.Integer(),
  pool: StringEnum(checked),
  stored: Type.Number(),
  journal: Type.Number(),
});

export const verifyLedger = operation({
  method: 'GET',
  namespace: 'store',
  path: '/ledger/verify',
  summary: 'Recompute every balance from the journal and report differences',
  access: 'admin',
  scope: 'read',
  response: Type.Object({
    ok: Type.Boolean(),
    coupons: Type.Integer({ description: 'How many were checked.' }),
    entries: Type.Integer({ description: 'How many journal entries they have.' }),
    differences: Type.Array(DifferenceSchema),
  }),
  async handle({ db, site }) {
    let coupons = 0;
    let entries = 0;
    const differences: unknown[] = [];
    for await (const row of recomputed(db)) {
      coupons += 1;
      entries += row.entries;
      for (const pool of checked) {
        if (row[pool] === row[`journal_${pool}`]) continue;
        differences.push({
          coupon_id: row.id,
          pool,
          stored: site.currency.toMajor(row[pool]),
          journal: site.currency.toMajor(row[`journal_${pool}`]),
        });
      }
    }
    return { ok: differences.length === 0, coupons, entries, differences };
  },
});

type Recomputed = { id: number; entries: number } & Record<Checked | `journal_${Checked}`, number>;

const AT_ONCE = 200;

/** What a pool holds by the journal alone: what came in less what went out. */
function held(pool: Checked) {
  const amount = sql`case when to_pool = ${sql.lit(pool)} then amount
    when from_pool = ${sql.lit(pool)} then -amount else 0 end`;
  return sql<number>`coalesce(sum(${amount}), 0)`.as(`journal_${pool}`);
}

/** Stored and recomputed in one statement, so that both are of the same moment. */
const recompute = query<{ after: number; limit: number }, Recomputed>(
  (db, p) =>
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
      .groupBy('c.id')
      .orderBy('c.id') as never,
);

/** A few coupons at a time: others are served in between. */
async function* recomputed(db: Reader): AsyncGenerator<Recomputed> {
  let after = 0;
  for (;;) {
    const rows = await db.all(recompute, { after, limit: AT_ONCE });
    yield* rows;
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.id;
    await nextTurn();
  }
}
