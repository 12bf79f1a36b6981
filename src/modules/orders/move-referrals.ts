import { sql } from 'kysely';
import { write } from '../../db/statements/calls.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { orderMoves } from '../ledger/index.ts';
import { dayExpressions } from './commission/counters-of.ts';

interface Moved {
  coupon_id: number;
  from: number;
  to: number;
  order_ids: string;
}

/** The coupon is still the former affiliate's: what the next one has of its days is in `former_days`. */
const moveDays = write<Moved>((db, p, _given, dialect) => {
  const names = Object.keys(dayExpressions).map((name) => sql.ref(name));
  const sums = Object.values(dayExpressions).map((value) => sql`sum(${value})`);
  const added = names.map((name) => sql`${name} = former_days.${name} + excluded.${name}`);
  return {
    compile: () =>
      sql`insert into former_days (coupon_id, user_id, day, ${sql.join(names)})
        select coupon_id, ${p.to}, day, ${sql.join(sums)} from referrals
        where ${dialect.inJsonArray('order_id', p.order_ids, 'number')}
          and coupon_id = ${p.coupon_id} and user_id = ${p.from} and dropped = 0
        group by coupon_id, day
        on conflict (coupon_id, user_id, day) do update set ${sql.join(added)}`.compile(db),
  };
});

const assign = write<Moved>((db, p, _given, dialect) =>
  db
    .updateTable('referrals')
    .set({ user_id: p.to })
    .where(dialect.inJsonArray('order_id', p.order_ids, 'number'))
    .where('coupon_id', '=', p.coupon_id)
    .where('user_id', '=', p.from),
);

/** What limits for an affiliate hold of them is held for the next one. */
const moveLimited = write<Moved & { subject: string; next: string }>((db, p, _given, dialect) =>
  db
    .updateTable('limited_rewards')
    .set({ subject: p.next })
    .where(dialect.inJsonArray('order_id', p.order_ids, 'number'))
    .where('coupon_id', '=', p.coupon_id)
    .where('subject', '=', p.subject),
);

/** The referrals whose commission moved to another account: later changes of their orders are posted there, and their figures. */
export const moveReferrals: (typeof orderMoves)['contributed'] = async (
  tx,
  { couponId, from, to, orderIds },
) => {
  const moved = { coupon_id: couponId, from, to, order_ids: jsonList([...orderIds]) };
  await moveDays(tx, moved);
  await moveLimited(tx, { ...moved, subject: `user ${from}`, next: `user ${to}` });
  await assign(tx, moved);
};
