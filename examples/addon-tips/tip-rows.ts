import {
  query,
  type Reader,
  type Selectable,
  type Transaction,
} from 'tributary-affiliates/extension';
import type { TipsTable } from './tips-table.ts';

type TipRow = Selectable<TipsTable>;
type NewTip = Omit<TipRow, 'id'>;

const user = query<{ id: number }, { id: number }>((db, p) =>
  db.selectFrom('users').select('id').where('id', '=', p.id),
);

const insert = query<NewTip, TipRow>((db, p) =>
  db
    .insertInto('tips')
    .values({ user_id: p.user_id, note: p.note, created_at: p.created_at })
    .returningAll(),
);

const newest = query<{ limit: number }, TipRow>((db, p) =>
  db.selectFrom('tips').selectAll().orderBy('id', 'desc').limit(p.limit),
);

const ofUser = query<{ user_id: number }, TipRow>((db, p) =>
  db.selectFrom('tips').selectAll().where('user_id', '=', p.user_id).orderBy('id'),
);

const removeOfUser = query<{ user_id: number }>((db, p) =>
  db.deleteFrom('tips').where('user_id', '=', p.user_id),
);

const count = query<object, { total: number }>((db) =>
  db.selectFrom('tips').select((eb) => eb.fn.countAll<number>().as('total')),
);

const removeBefore = query<{ created_at: number }>((db, p) =>
  db.deleteFrom('tips').where('created_at', '<', p.created_at),
);

export async function isUser(db: Reader, id: number): Promise<boolean> {
  return (await db.first(user, { id })) !== undefined;
}

export async function insertTip(tx: Transaction, tip: NewTip): Promise<TipRow> {
  return (await tx.first(insert, tip))!;
}

export function newestTips(db: Reader, limit: number): Promise<TipRow[]> {
  return db.all(newest, { limit });
}

export function tipsOf(db: Reader, userId: number): Promise<TipRow[]> {
  return db.all(ofUser, { user_id: userId });
}

export async function removeTipsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.run(removeOfUser, { user_id: userId });
}

export async function countTips(db: Reader): Promise<number> {
  return (await db.first(count, {}))!.total;
}

export async function removeTipsBefore(tx: Transaction, createdMs: number): Promise<void> {
  await tx.run(removeBefore, { created_at: createdMs });
}
