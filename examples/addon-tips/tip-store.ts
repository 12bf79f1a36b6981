import {
  query,
  type Reader,
  type Selectable,
  type Transaction,
} from 'tributary-affiliates/extension';
import type { TipsTable } from './tips-table.ts';

type TipRow = Selectable<TipsTable>;
type NewTip = Omit<TipRow, 'id'>;

const insert = query<NewTip, TipRow>((db, p) =>
  db
    .insertInto('tips')
    .values({ user_id: p.user_id, note: p.note, created_at: p.created_at })
    .returningAll(),
);

const newest = query<{ limit: number }, TipRow>((db, p) =>
  db.selectFrom('tips').selectAll().orderBy('id', 'desc').limit(p.limit),
);

const count = query<object, { total: number }>((db) =>
  db.selectFrom('tips').select((eb) => eb.fn.countAll<number>().as('total')),
);

const removeBefore = query<{ created_at: number }>((db, p) =>
  db.deleteFrom('tips').where('created_at', '<', p.created_at),
);

export async function insertTip(tx: Transaction, tip: NewTip): Promise<TipRow> {
  return (await tx.first(insert, tip))!;
}

export function newestTips(db: Reader, limit: number): Promise<TipRow[]> {
  return db.all(newest, { limit });
}

export async function countTips(db: Reader): Promise<number> {
  return (await db.first(count, {}))!.total;
}

export async function removeTipsBefore(tx: Transaction, createdMs: number): Promise<void> {
  await tx.run(removeBefore, { created_at: createdMs });
}
