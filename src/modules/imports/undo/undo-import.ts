import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import { system as systemCaller } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import type { Job } from '../../../kernel/declare/job.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { endMembership, lockAffiliate } from '../../affiliates/index.ts';
import {
  findCouponsOf,
  findCouponToChange,
  lockCoupon,
  lockOwners,
  retireCoupon,
} from '../../coupons/index.ts';
import { emitCommission, listEntries, lockBalances, post } from '../../ledger/index.ts';
import { erasePerson } from '../../privacy/index.ts';
import { removeRules } from '../../rewards/index.ts';
import { findUser } from '../../users/index.ts';
import { removeHistory } from '../history-rows.ts';
import {
  countOnImport,
  findImportedUsers,
  findImportToChange,
  findLinksOf,
  findRulesOf,
  forgetRulesOf,
  markTakenBack,
  removeLinksOf,
  saveImportState,
  type ImportLink,
  listRequestedUndos,
  saveUndoRequest,
} from '../import-rows.ts';
import { refused } from './not-undoable.ts';
import { requireUnpaid, undoOrders } from './undo-orders.ts';

const USERS_AT_ONCE = 25;
const RECORDS_AT_ONCE = 500;

/** Ledger entries on coupons of the import that are later than its own, without those of imports that were undone. */
const later = query<
  { import_id: number; user_id?: number | undefined },
  { code: string; note: string; created_at: number }
>((db, p, given) => {
  const ofUser = given('user_id') ? sql`and user_id = ${p.user_id}` : sql``;
  const statement = sql<never>`select coupons.code, ledger.note, ledger.created_at
    from (select coupon_id, max(coalesce(entry_id, 0)) as own from import_links
      where import_id = ${p.import_id} and coupon_id is not null
        and undone_entry_id is null and (kind = 'balance' or created = 1) ${ofUser}
      group by coupon_id) as touched
    join coupons on coupons.id = touched.coupon_id
    join ledger on ledger.coupon_id = touched.coupon_id and ledger.id > touched.own
    where not exists (select 1 from import_links as undone
      where undone.coupon_id = ledger.coupon_id and undone.undone_entry_id is not null
        and ledger.id in (undone.entry_id, undone.undone_entry_id))
    order by ledger.id limit 1`;
  return { compile: () => statement.compile(db) };
});

export interface UndoResult {
  readonly id: number;
  affiliates: number;
  coupons: number;
  /** In the smallest unit. */
  balance: number;
  records: number;
  rules: number;
  /** Logins of accounts that stay, and rules, with the reason. */
  readonly kept: string[];
}

/**
 * Takes an import back: reverses its balances, removes its coupons, users, history and rules. Refused before anything changes
 * where money has moved since; interrupted, it continues when it is run again.
 */
export async function undoImport(
  site: Site,
  id: number,
  onProgress?: (share: number) => void,
): Promise<UndoResult> {
  const { database } = site;
  const users = await database.transaction(async (tx) => {
    await beginUndo(tx, site, id);
    return findImportedUsers(tx, id);
  });
  const result: UndoResult = {
    id,
    affiliates: 0,
    coupons: 0,
    balance: 0,
    records: 0,
    rules: 0,
    kept: [],
  };
  for (let at = 0; at < users.length; at += USERS_AT_ONCE) {
    const piece = users.slice(at, at + USERS_AT_ONCE);
    const undone = await database.transaction((tx) => undoUsers(tx, site, id, piece));
    for (const user of undone) {
      result.affiliates += user.removed ? 1 : 0;
      result.coupons += user.coupons;
      result.balance += user.balance;
      if (user.kept !== undefined) result.kept.push(user.kept);
    }
    onProgress?.((at + piece.length) / users.length);
  }
  await undoOrders(site, id, result);
  let removed: number;
  do {
    removed = await database.transaction((tx) =>
      removeHistory(tx, { import_id: id, limit: RECORDS_AT_ONCE }),
    );
    result.records += removed;
  } while (removed > 0);
  const { removed: rules, changed } = await database.transaction((tx) => undoRules(tx, site, id));
  result.rules = rules.length;
  result.kept.push(...changed.map((rule) => `reward rule ${rule} (was changed since)`));
  return result;
}

/** Removes the rules of the import, and ends the undo. */
async function undoRules(tx: Transaction, site: Site, id: number) {
  const nowMs = site.clock();
  const rules = await findRulesOf(tx, { import_id: id });
  const undone = await removeRules({ db: tx, site, caller: systemCaller, nowMs }, rules);
  await forgetRulesOf(tx, { import_id: id });
  await saveImportState(tx, id, 'undone', nowMs);
  return undone;
}

/** Marks the import, or throws why it cannot be undone. */
export async function beginUndo(tx: Transaction, site: Site, id: number): Promise<void> {
  const row = await findImportToChange(tx, { id });
  if (!row) {
    throw new ApiError(generalErrors.notFound, { message: `There is no import ${id}.` });
  }
  if (row.state === 'undone') throw refused(`Import ${id} has already been undone.`);
  await requireNothingMoved(tx, site, id);
  await requireUnpaid(tx, site, id);
  await saveImportState(tx, id, 'undoing', null);
}

async function requireNothingMoved(
  db: Reader,
  { calendar }: Site,
  importId: number,
  userId?: number,
): Promise<void> {
  const entry = await db.first(later, { import_id: importId, user_id: userId });
  if (!entry) return;
  throw refused(
    `Import ${importId} cannot be undone: money has moved since. The coupon ${entry.code} got ` +
      `"${entry.note}" on ${calendar.dayOf(entry.created_at)}. Correct single balances with adjustments instead.`,
  );
}

interface UndoneUser {
  removed: boolean;
  coupons: number;
  balance: number;
  kept?: string;
}

async function undoUsers(
  tx: Transaction,
  site: Site,
  importId: number,
  userIds: readonly number[],
): Promise<UndoneUser[]> {
  await lockOwners(tx);
  const undone: UndoneUser[] = [];
  for (const userId of userIds) undone.push(await undoUser(tx, site, importId, userId));
  const kept = undone.filter((user) => user.kept !== undefined).length;
  if (kept > 0) await countOnImport(tx, importId, { kept });
  return undone;
}

async function undoUser(
  tx: Transaction,
  site: Site,
  importId: number,
  userId: number,
): Promise<UndoneUser> {
  const nowMs = site.clock();
  await lockAffiliate(tx, userId);
  const links = await findLinksOf(tx, [userId]);
  const own = links.filter(({ import_id }) => import_id === importId);
  const couponIds = [...new Set(own.flatMap(({ coupon_id }) => coupon_id ?? []))].toSorted(
    (a, b) => a - b,
  );
  for (const couponId of couponIds) await lockCoupon(tx, couponId);
  await lockBalances(tx, couponIds);
  await requireNothingMoved(tx, site, importId, userId);
  const undone: UndoneUser = { removed: false, coupons: 0, balance: 0 };
  for (const link of own.filter(({ kind }) => kind === 'balance')) {
    await takeBack(tx, site, link, nowMs);
    undone.balance += link.amount;
  }
  for (const { coupon_id } of own.filter(({ kind, created }) => kind === 'code' && created === 1)) {
    const coupon = await findCouponToChange(tx, { id: coupon_id! });
    if (!coupon) continue;
    await retireCoupon(tx, site, systemCaller, coupon, nowMs);
    undone.coupons += 1;
  }
  await removeLinksOf(tx, { import_id: importId, user_id: userId });
  const isCreated = own.some(({ kind, created }) => kind === 'affiliate' && created === 1);
  return isCreated ? removeUser(tx, site, userId, links.length > own.length, undone) : undone;
}

async function takeBack(
  tx: Transaction,
  site: Site,
  link: ImportLink,
  nowMs: number,
): Promise<void> {
  const note = `Import ${link.import_id} undone`;
  const account = { couponId: link.coupon_id!, ownerId: link.user_id };
  const entry = { ...account, orderId: null, note, nowMs };
  const amount = -link.amount;
  post(tx, { ...entry, from: 'earned', to: 'unpaid', amount, kind: 'adjustment', userId: 0 });
  emitCommission(tx, site, { ...entry, amountMinor: amount, actorId: 0 });
  await tx.flush();
  const [written] = await listEntries(tx, { coupon_id: link.coupon_id!, limit: 1, offset: 0 });
  await markTakenBack(tx, { id: link.id, entry_id: written!.id });
}

/** Erases a user that the import has created, unless it has been used since. */
async function removeUser(
  tx: Transaction,
  site: Site,
  userId: number,
  hasOtherImports: boolean,
  undone: UndoneUser,
): Promise<UndoneUser> {
  const user = (await findUser(tx, userId))!;
  const isUsed = user.password_hash !== null || user.last_seen_at !== null;
  if (isUsed) return { ...undone, kept: `${user.login} (has an own password or has signed in)` };
  if ((await findCouponsOf(tx, userId)).length > 0) {
    return { ...undone, kept: `${user.login} (has other coupons)` };
  }
  if (hasOtherImports) return { ...undone, kept: `${user.login} (another import has it too)` };
  await erasePerson(tx, { site, caller: systemCaller, user, nowMs: site.clock() });
  await endMembership(tx, site, userId);
  return { ...undone, removed: true };
}

/** Undoes the imports that users have asked for; after a restart it goes on. */
export const carryOutUndos: Job = {
  name: 'imports.undo',
  everyMs: 2_000,
  runsOn: 'one',
  async run(site) {
    for (const id of await listRequestedUndos(site.database.read)) await undo(site, id);
  },
};

/** Money that moves while it runs stops an undo; the owner reads why and asks again. */
async function undo(site: Site, id: number): Promise<void> {
  try {
    await undoImport(site, id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const reason = error.message;
    await site.database.transaction((tx) => saveUndoRequest(tx, { id, undo_by: null, reason }));
  }
}
