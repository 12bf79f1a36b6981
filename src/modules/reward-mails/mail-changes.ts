import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../db/database.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { groupsOfMany } from '../affiliates/index.ts';
import { bonusList } from '../bonuses/index.ts';
import { findCouponsByUser, listOwners } from '../coupons/index.ts';
import { enqueueMail } from '../mail/index.ts';
import {
  readNames,
  rewardRules,
  writerIn,
  type rewardChanges,
  type RewardLists,
} from '../rewards/index.ts';
import { siteLanguage } from '../store-profile/index.ts';
import { recipientOf } from '../users/index.ts';
import {
  addChange,
  findRecipients,
  firstChange,
  lastChange,
  limitChanges,
  removeChange,
  saveChange,
  type ChangeRow,
} from './change-rows.ts';
import { OwnChanges } from './own-changes.ts';
import { rewardMails, rewardsMail } from './reward-mail.ts';

/** How long after the last edit the mails are sent: an owner who edits several times sends one. */
const QUIET_MS = 10 * 60_000;
/** How long after the first edit they are sent, however often the owner goes on editing. */
const WAIT_MAX_MS = 60 * 60_000;
/** Affiliates per transaction. */
const AT_ONCE_MAX = 200;

/** Notes what was in a list before its first change since the last mails. The list is locked until the commit. */
export const noteChange: (typeof rewardChanges)['contributed'] = async (
  tx,
  site,
  before,
  nowMs,
) => {
  if (!site.settings.get(rewardMails)) return;
  const last = await lastChange(tx);
  if (last?.after !== null) {
    await addChange(tx, {
      before: JSON.stringify(before),
      began_at: nowMs,
      changed_at: nowMs,
    });
    return;
  }
  const all = { ...before, ...listsOf(last.before) };
  await saveChange(tx, { ...last, before: JSON.stringify(all), changed_at: nowMs });
};

/**
 * Sends affiliates a mail about changed rules and bonuses, some minutes after the last change, and an hour after the
 * first at the latest. The mails and how far
 * the job has come are committed together, so a crash neither skips nor repeats one.
 */
export const mailChanges: Job = {
  name: 'rewards.mail-changes',
  everyMs: 60_000,
  runsOn: 'one',
  async run(site) {
    if (!isUsed(site) || !isDue(site, await firstChange(site.database.read))) return;
    while (await site.database.transaction((tx) => mailSome(tx, site)));
  },
};

/** A store without rules and bonuses does not read anything. */
function isUsed({ settings }: Site): boolean {
  return settings.get(rewardRules.version) > 0 || settings.get(bonusList.version) > 0;
}

function isDue({ clock }: Site, change: ChangeRow | undefined): change is ChangeRow {
  if (!change) return false;
  const { after, began_at, changed_at } = change;
  const isLong = clock() >= (began_at ?? changed_at) + WAIT_MAX_MS;
  return after !== null || isLong || clock() >= changed_at + QUIET_MS;
}

/** Mails to some affiliates; returns whether there is more to do. */
async function mailSome(tx: Transaction, site: Site): Promise<boolean> {
  // The lock of the lists: what is read as their content after the change has every edit before it.
  await tx.lock('settings');
  const change = await firstChange(tx);
  // Another instance may have done it.
  if (!isDue(site, change)) return false;
  const before = listsOf(change.before);
  const after = change.after === null ? await currentLists(tx, before) : listsOf(change.after);
  if (!site.settings.get(rewardMails) || isDeepStrictEqual(before, after)) {
    await removeChange(tx, change);
    return true;
  }
  const owners = await listOwners(tx, { after: change.after_user, limit: AT_ONCE_MAX });
  const ids = owners.map(({ user_id }) => user_id);
  await mailTo(tx, site, { before, after }, change, ids);
  if (owners.length < AT_ONCE_MAX) await removeChange(tx, change);
  else await saveChange(tx, { ...change, after: JSON.stringify(after), after_user: ids.at(-1)! });
  return true;
}

/** The lists that have changed, as they are now. */
async function currentLists(
  tx: Transaction,
  { rules, bonuses }: RewardLists,
): Promise<RewardLists> {
  return {
    ...(rules && { rules: await rewardRules.read(tx) }),
    ...(bonuses && { bonuses: await bonusList.read(tx) }),
  };
}

async function mailTo(
  tx: Transaction,
  site: Site,
  lists: { before: RewardLists; after: RewardLists },
  change: ChangeRow,
  ids: readonly number[],
): Promise<void> {
  const recipients = await findRecipients(tx, ids);
  const groups = Map.groupBy(await groupsOfMany(tx, ids), ({ user_id }) => user_id);
  const coupons = Map.groupBy(await findCouponsByUser(tx, ids), ({ user_id }) => user_id);
  const orders = [lists.before, lists.after].flatMap(({ rules = [] }) =>
    rules.map(({ order }) => ({ who: {}, order })),
  );
  const { stores } = await readNames(tx, site, orders);
  const day = site.calendar.dayOf(change.changed_at);
  const ownChanges = new OwnChanges(site, { ...lists, day, stores });
  for (const user of recipients) {
    const own = coupons.get(user.id) ?? [];
    const member = {
      id: user.id,
      groups: (groups.get(user.id) ?? []).map(({ id }) => id),
      coupons: new Map(own.map(({ id, code }) => [id, code])),
      hasOrders: own.some(({ orders_count }) => orders_count > 0),
    };
    const language = user.language || site.settings.get(siteLanguage);
    const changes = ownChanges.textFor(member, language);
    if (changes === '') continue;
    enqueueMail(tx, site, rewardsMail, {
      to: recipientOf(user),
      data: { name: user.display_name, day: writerIn(language).day(day), changes },
      key: `${rewardsMail.name}:${user.id}:${change.id}`,
      nowMs: site.clock(),
    });
  }
}

/** Only lists of this service are stored. */
function listsOf(json: string): RewardLists {
  return JSON.parse(json) as RewardLists;
}

export async function correctChanges({ database }: Site, now: number): Promise<void> {
  await database.transaction((tx) => limitChanges(tx, { now }));
}
