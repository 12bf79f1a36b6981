import { byNumber } from '../../../src/db/statements/keyed-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import { perSite, type Site } from '../../../src/kernel/declare/site.ts';
import type { PayoutHolders } from '../../../src/modules/ledger/index.ts';
import { BoundedMap } from '../../../src/shared/bounded-map.ts';
import { foldName } from '../../../src/shared/person-name.ts';
import { readSavedDetails } from './details-rows.ts';

type Saved = Pick<RowOf<'payout_details'>, 'user_id' | 'details'>;

const savedOf = byNumber<Saved>((db, isKey) =>
  db.selectFrom('payout_details').select(['user_id', 'details']).where(isKey('user_id')),
);

const HOLDERS_MAX = 10_000;

/** By the encrypted details, because decrypting them takes longer than reading them. */
const holders = perSite(() => new BoundedMap<string, string>(HOLDERS_MAX));

/** The holders of the accounts that affiliates have saved. Only bank accounts name one. */
export const payoutHoldersOf: PayoutHolders = async (db, site, userIds) => {
  const rows = await db.allByKeys(savedOf, [...userIds]);
  const named = rows.map((saved) => [saved.user_id, holderOf(site, saved)] as const);
  return new Map(named.filter(([, holder]) => holder !== ''));
};

function holderOf(site: Site, saved: Saved): string {
  const known = holders(site);
  let holder = known.get(saved.details);
  if (holder === undefined) {
    const { account_holder: name } = readSavedDetails(site, saved);
    holder = typeof name === 'string' ? foldName(name) : '';
    known.set(saved.details, holder);
  }
  return holder;
}
