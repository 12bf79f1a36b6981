import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import { selectPayouts, type PayoutRow } from '../payout-store.ts';

const count = query<object, { total: number }>((db) =>
  db
    .selectFrom('payouts')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('unclear_since', 'is not', null),
);

const page = query<{ limit: number; offset: number }, PayoutRow>((db, p) =>
  selectPayouts(db)
    .where('unclear_since', 'is not', null)
    .orderBy('payouts.id')
    .limit(p.limit)
    .offset(p.offset),
);

export async function countUnresolved(db: Reader): Promise<number> {
  return (await db.first(count, {}))!.total;
}

/** Oldest first. */
export function listUnresolved(
  db: Reader,
  { limit, offset }: { limit: number; offset: number },
): Promise<PayoutRow[]> {
  return db.all(page, { limit, offset });
}
