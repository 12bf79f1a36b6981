import { sql } from 'kysely';
import { readAll } from '../../../src/db/statements/calls.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import { customerKey, customerKeyOf, hashCustomer } from '../../../src/modules/orders/index.ts';
import { foldAddress, mailboxOf } from '../../../src/shared/email-address.ts';
import { pagesOfEarners, type FoundReferral, type LookBack } from './look-back.ts';

type Params = { keys: string; since: number };

const creditedOfCustomers = readAll<Params, FoundReferral & { customer_hash: string }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('orders')
      .innerJoin('referrals', 'referrals.order_id', 'orders.order_id')
      .select(['orders.order_id', 'orders.customer_hash'])
      .select(['referrals.user_id', 'referrals.commission'])
      .where(dialect.inJsonArray(customerKey('orders'), p.keys, 'text'))
      .where('orders.customer_hash', 'is not', null)
      .where('orders.placed_at', '>=', p.since)
      .where('referrals.dropped', '=', sql.lit(0))
      // The index has only customers that are known.
      .$narrowType<{ customer_hash: string }>(),
);

/**
 * Orders whose customer is the affiliate they are credited to. Of a customer only the address is stored, so an order
 * with another spelling of the affiliate's mailbox is not found. Orders that were refused at once count, without
 * commission.
 */
export const lookForOwnOrders: LookBack = async ({ site, sinceMs }, found) => {
  const { read } = site.database;
  for await (const earners of pagesOfEarners(read)) {
    const owners = new Map<string, Set<number>>();
    for (const { id, email } of earners) {
      for (const address of new Set([mailboxOf(email), foldAddress(email)])) {
        const hash = hashCustomer(site, { email: address })!;
        owners.set(hash, (owners.get(hash) ?? new Set()).add(id));
      }
    }
    const keys = jsonList([...new Set([...owners.keys()].map(customerKeyOf))]);
    for (const row of await creditedOfCustomers(read, { keys, since: sinceMs })) {
      if (owners.get(row.customer_hash)?.has(row.user_id)) found.add(row);
    }
  }
};
