import { readByNumbers } from '../../../src/db/statements/calls.ts';
import { formerAccountsOf } from '../../../src/modules/coupons/index.ts';
import { samePayees } from '../../../src/modules/ledger/index.ts';
import { mailboxOf } from '../../../src/shared/email-address.ts';
import { listSameDevice } from '../duplicates/same-device.ts';
import { PAGE, pagesOfEarners, type LookBack } from './look-back.ts';

/** What the coupons of affiliates have to be paid. */
const unpaidOf = readByNumbers<{ user_id: number; unpaid: number }>((db, isKey) =>
  db
    .selectFrom('coupons')
    .select('user_id')
    .select(({ fn }) => fn.sum<number>('unpaid').as('unpaid'))
    .where(isKey('user_id'))
    .groupBy('user_id')
    .$narrowType<{ user_id: number }>(),
);

/** Affiliates who share an account, a mailbox or a device, as they are now, with what they have to be paid. */
export const lookForDuplicates: LookBack = async ({ site }, found) => {
  const { read } = site.database;
  const alike = new Set<number>();
  const first = new Map<string, number>();
  for await (const earners of pagesOfEarners(read)) {
    const ids = earners.map(({ id }) => id);
    for (const find of site.registry.contributions(samePayees)) {
      for (const id of (await find(read, ids)).keys()) alike.add(id);
    }
    for (const id of await listSameDevice(read, ids)) alike.add(id);
    for (const { id, email } of earners) {
      const mailbox = mailboxOf(email);
      const other = first.get(mailbox);
      if (other === undefined) first.set(mailbox, id);
      else alike.add(other).add(id);
    }
  }
  const ids = [...alike];
  for (let from = 0; from < ids.length; from += PAGE) {
    const some = ids.slice(from, from + PAGE);
    for (const { user_id, unpaid } of [
      ...(await unpaidOf(read, some)),
      ...(await formerAccountsOf(read, some)),
    ]) {
      found.addAffiliate(user_id, unpaid);
    }
  }
};
