import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { beginsWith } from '../../db/statements/begins-with.ts';
import { query } from '../../db/statements/query.ts';
import { removeEntry, removeNotesOf, replaceTags } from '../affiliates/index.ts';
import { disableCouponsOf, findAccountsOf } from '../coupons/index.ts';
import { endSessions, forgetAttempts } from '../sessions/index.ts';
import { eraseSecondFactors } from '../two-factor/index.ts';
import { anonymiseUser, findUserByName } from '../users/index.ts';
import type { PersonErasure } from './erasure.ts';

type OfUser = { user_id: number };

/** A suspended affiliate earns nothing, on customers it has brought before either. */
const affiliate = query<OfUser & { registered_at: number }>((db, p) =>
  db
    .insertInto('affiliates')
    .values({
      user_id: p.user_id,
      status: 'suspended',
      profile: '{}',
      registered_at: p.registered_at,
    })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ status: 'suspended', profile: '{}' }),
    ),
);
const applications = query<OfUser>((db, p) =>
  db
    .updateTable('registrations')
    .set({ promote: '', referrer: '', website: '', custom_fields: '{}', message: '' })
    .set({ decline_note: '', mail_pattern: '', mail_domain: '', website_place: '' })
    .set({ network_hash: '' })
    .where('user_id', '=', p.user_id),
);
const deleteOfApplications = (table: 'registration_messages' | 'registration_words') =>
  query<OfUser>((db, p) =>
    db
      .deleteFrom(table)
      .where('registration_id', 'in', (eb) =>
        eb.selectFrom('registrations').select('id').where('user_id', '=', p.user_id),
      ),
  );

const messages = deleteOfApplications('registration_messages');
const applicationWords = deleteOfApplications('registration_words');

/** There is no applicant left to accept or to notify. */
const pendingApplications = query<OfUser & { now: number }>((db, p) =>
  db
    .updateTable('registrations')
    .set({ status: 'declined', declined_at: p.now })
    .where('user_id', '=', p.user_id)
    .where('status', '=', 'pending'),
);
/** The requested code may be a name; that of an accepted application is the coupon's. */
const requestedCodes = query<OfUser>((db, p) =>
  db
    .updateTable('registrations')
    .set({ coupon_code: '' })
    .where('user_id', '=', p.user_id)
    .where('status', '<>', 'accepted'),
);
const keys = query<OfUser & { now: number }>((db, p) =>
  db
    .updateTable('api_keys')
    .set({ description: '', revoked_at: sql<number>`coalesce(revoked_at, ${p.now})` })
    .where('user_id', '=', p.user_id),
);
const deleteOf = (
  table: 'application_passwords' | 'account_links' | 'passkey_challenges' | 'report_views',
) => query<OfUser>((db, p) => db.deleteFrom(table).where('user_id', '=', p.user_id));

const applicationPasswords = deleteOf('application_passwords');
const links = deleteOf('account_links');
const challenges = deleteOf('passkey_challenges');
const reportViews = deleteOf('report_views');

/** Mails to its address. */
const mails = query<{ address: string }>((db, p) =>
  db.deleteFrom('outbox').where('to_address', '=', p.address),
);

interface Former extends OfUser {
  changed: string;
  confirmed: string;
}

/** Addresses that it had before, or wanted to have. The keys of mails about a change begin with the user. */
const formerAddresses = query<Former, { address: string }>((db, p) => {
  const about = (beginning: string) =>
    db.selectFrom('outbox').select('to_address as address').where(beginsWith('key', beginning));
  const wanted = db
    .selectFrom('account_links')
    .select('data as address')
    .where('user_id', '=', p.user_id);
  return about(p.changed).union(about(p.confirmed)).union(wanted);
});

/** Leaves an address alone that belongs to another user now. */
async function eraseFormerMails(tx: Transaction, userId: number): Promise<void> {
  const former = await tx.all(formerAddresses, {
    user_id: userId,
    changed: `address-changed:${userId}:`,
    confirmed: `address-confirmed:${userId}:`,
  });
  for (const { address } of former) {
    const owner = await findUserByName(tx, address);
    if (owner === undefined || owner.id === userId) await tx.run(mails, { address });
  }
}

/** What the core modules store about a person. */
export const coreErasure: PersonErasure = {
  async openMoney(db, { currency }, userId) {
    const accounts = await findAccountsOf(db, userId);
    // Amounts of both signs must not cancel each other out.
    const sum = (pool: 'unpaid' | 'awaiting' | 'pending_payout') =>
      currency.toMajor(accounts.reduce((total, account) => total + Math.abs(account[pool]), 0));
    return {
      unpaid_commission: sum('unpaid'),
      pending_order_commission: sum('awaiting'),
      pending_payout_commission: sum('pending_payout'),
    };
  },

  async erase(tx, { site, caller, user, nowMs }) {
    const ofUser = { user_id: user.id };
    await disableCouponsOf(tx, site, caller, user.id, nowMs);
    await tx.run(affiliate, { ...ofUser, registered_at: user.created_at });
    await removeNotesOf(tx, { user_id: user.id });
    await replaceTags(tx, user.id, []);
    // The next refresh of the list adds the entry again, without the name and words of the person.
    await removeEntry(tx, user.id);
    await tx.run(applications, ofUser);
    await tx.run(messages, ofUser);
    await tx.run(applicationWords, ofUser);
    await tx.run(pendingApplications, { ...ofUser, now: nowMs });
    await tx.run(requestedCodes, ofUser);
    await tx.run(reportViews, ofUser);
    await tx.run(mails, { address: user.email });
    await eraseFormerMails(tx, user.id);
    await removeAccess(tx, ofUser, nowMs);
    await endSessions(tx, site, { userId: user.id }, nowMs);
    await forgetAttempts(tx, site, user);
    await anonymiseUser(tx, user.id, nowMs);
  },
};

async function removeAccess(tx: Transaction, ofUser: OfUser, nowMs: number): Promise<void> {
  await tx.run(keys, { ...ofUser, now: nowMs });
  await tx.run(applicationPasswords, ofUser);
  await tx.run(links, ofUser);
  await tx.run(challenges, ofUser);
  await eraseSecondFactors(tx, ofUser.user_id);
}
