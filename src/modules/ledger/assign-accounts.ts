import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { readAll, write } from '../../db/statements/calls.ts';
import { columnGroups } from '../../db/statements/columns.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import { toOwnerId } from '../coupons/index.ts';
import type { AccountBalances, Balances, NewLedgerEntry } from './ledger-rows.ts';

const pools = columnGroups.balances;
const OWNER = `coalesce((select user_id from coupons where coupons.id = ledger.coupon_id), 0)`;
const IS_FORMER = `ledger.owner_id <> ${OWNER}`;

/** What an entry adds to a pool. */
const change = (pool: string) =>
  `case '${pool}' when to_pool then amount when from_pool then -amount else 0 end`;

/** Assigns entries to the affiliate that another table names for them. */
const assign = (table: string, user: string, condition: string) =>
  `update ledger set owner_id = (select ${user} from ${table} where ${condition} limit 1)
   where exists (select 1 from ${table} where ${condition} and ${user} <> ledger.owner_id)`;

const migrationNames = readAll<object, { name: string }>((db) =>
  db.selectFrom('migrations').select('name'),
);

const isFilled = readAll<object, { id: number }>((db) =>
  db.selectFrom('ledger').select('id').limit(sql.lit(1)),
);

interface Coupon extends Balances {
  id: number;
  user_id: number | null;
  code: string;
}

/** The coupons on which a former affiliate had money when it went to the next one. */
const movedCoupons = readAll<object, Coupon>((db) =>
  db
    .selectFrom('coupons')
    .select(['id', 'user_id', 'code', ...pools])
    .where('id', 'in', (eb) =>
      eb.selectFrom('former_accounts').select('coupon_id').where('unpaid', '<>', sql.lit(0)),
    ),
);

const formerOf = readAll<{ coupon_id: number }, AccountBalances>((db, p) =>
  db
    .selectFrom('former_accounts')
    .selectAll()
    .where('coupon_id', '=', p.coupon_id)
    .where('unpaid', '<>', sql.lit(0))
    .orderBy('user_id'),
);

const clearUnpaid = write<{ coupon_id: number }>((db, p) =>
  db.updateTable('former_accounts').set({ unpaid: 0 }).where('coupon_id', '=', p.coupon_id),
);

const insertEntries = insertRows<NewLedgerEntry>('ledger');

/**
 * Finds whose each entry is, for the migration that gives them accounts: an order's is the affiliate's whom it was
 * credited to, a payout's the affiliate's who was paid, any other one the coupon's. What was unpaid went to the next
 * affiliate with the coupon, so it moves there now: every unpaid balance stays what it was.
 */
export async function assignAccounts(tx: Transaction): Promise<void> {
  await tx.execute(`update ledger set owner_id = ${OWNER}`);
  // A new database has none of the other tables yet.
  if ((await isFilled(tx)).length === 0) return;
  const known = new Set((await migrationNames(tx)).map(({ name }) => name.split('/')[0]));
  if (known.has('multilevel')) {
    await tx.execute(
      assign(
        'mla_shares',
        'upline_id',
        'mla_shares.order_id = ledger.order_id and mla_shares.upline_coupon_id = ledger.coupon_id',
      ),
    );
  }
  await tx.execute(
    assign(
      'referrals',
      'user_id',
      'referrals.order_id = ledger.order_id and referrals.coupon_id = ledger.coupon_id',
    ),
  );
  if (known.has('payouts')) {
    await tx.execute(assign('payouts', 'user_id', 'payouts.id = ledger.payout_id'));
  }
  await recompute(tx);
  for (const coupon of await movedCoupons(tx)) await moveUnpaid(tx, coupon);
}

async function recompute(tx: Transaction): Promise<void> {
  const sums = pools.map((pool) => `sum(${change(pool)}) over account as ${pool}`).join(', ');
  const set = pools.map((pool) => `${pool}_after = played.${pool}`).join(', ');
  await tx.execute(
    `update ledger set ${set} from
       (select id, ${sums} from ledger
        where coupon_id in (select coupon_id from ledger where ${IS_FORMER})
        window account as (partition by coupon_id, owner_id order by id)) as played
     where played.id = ledger.id`,
  );
  await tx.execute(
    `insert into former_accounts (coupon_id, user_id, ${pools.join(', ')})
     select coupon_id, owner_id, ${pools.map((pool) => `sum(${change(pool)})`).join(', ')}
     from ledger where ${IS_FORMER} group by coupon_id, owner_id`,
  );
  const left = pools.map(
    (pool) => `${pool} = ${pool} - coalesce((select sum(${pool}) from former_accounts
      where coupon_id = coupons.id), 0)`,
  );
  await tx.execute(
    `update coupons set ${left.join(', ')} where id in (select coupon_id from former_accounts)`,
  );
  // Affiliates whose orders have earned nothing.
  await tx.execute(
    `insert into former_accounts (coupon_id, user_id)
     select distinct referrals.coupon_id, referrals.user_id
     from referrals join coupons on coupons.id = referrals.coupon_id
     where referrals.user_id <> coalesce(coupons.user_id, 0)
       and not exists (select 1 from former_accounts as known
         where known.coupon_id = referrals.coupon_id and known.user_id = referrals.user_id)`,
  );
  // Since when is unknown: they own it at no time, but they did.
  await tx.execute(
    `insert into coupon_owners (coupon_id, user_id, since, until)
     select coupon_id, user_id, 0, 0 from former_accounts where user_id <> 0`,
  );
}

async function moveUnpaid(tx: Transaction, coupon: Coupon): Promise<void> {
  const own: Balances = {
    unpaid: coupon.unpaid,
    awaiting: coupon.awaiting,
    pending_payout: coupon.pending_payout,
    paid: coupon.paid,
  };
  const ownerId = toOwnerId(coupon.user_id);
  const entries: NewLedgerEntry[] = [];
  for (const { unpaid, ...former } of await formerOf(tx, { coupon_id: coupon.id })) {
    own.unpaid += unpaid;
    entries.push(
      toEntry(coupon, { owner: former.user_id, other: ownerId }, -unpaid, { ...former, unpaid: 0 }),
      toEntry(coupon, { owner: ownerId, other: former.user_id }, unpaid, own),
    );
  }
  await tx.runMany(insertEntries, entries);
  await clearUnpaid(tx, { coupon_id: coupon.id });
  await tx.execute(`update coupons set unpaid = ${own.unpaid} where id = ${coupon.id}`);
}

function toEntry(
  { id, code }: Coupon,
  { owner, other }: { owner: number; other: number },
  amount: number,
  after: Balances,
): NewLedgerEntry {
  return {
    coupon_id: id,
    owner_id: owner,
    other_owner_id: other,
    from_pool: amount > 0 ? 'earned' : 'unpaid',
    to_pool: amount > 0 ? 'unpaid' : 'earned',
    amount: Math.abs(amount),
    kind: 'hand_over',
    order_id: null,
    payout_id: null,
    user_id: 0,
    note: `Coupon ${code} changed hands`,
    created_at: Date.now(),
    unpaid_after: after.unpaid,
    awaiting_after: after.awaiting,
    pending_payout_after: after.pending_payout,
    paid_after: after.paid,
  };
}
