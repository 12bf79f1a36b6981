import { byNumber } from '../../../db/statements/keyed-query.ts';
import type { PayoutHolders } from '../../../modules/ledger/index.ts';
import type { PayoutDetailsTable } from '../tables.ts';
import { readSavedDetails } from './details-rows.ts';

const savedOf = byNumber<Pick<PayoutDetailsTable, 'user_id' | 'details'>>((db, isKey) =>
  db.selectFrom('payout_details').select(['user_id', 'details']).where(isKey('user_id')),
);

/** The holders of the accounts that affiliates have saved. Only bank accounts name one. */
export const payoutHoldersOf: PayoutHolders = async (db, site, userIds) => {
  const holders = new Map<number, string>();
  for (const saved of await db.allByKeys(savedOf, [...userIds])) {
    const { account_holder: holder } = readSavedDetails(site, saved);
    if (typeof holder === 'string') holders.set(saved.user_id, holder);
  }
  return holders;
};
