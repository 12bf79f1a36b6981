import { sql, type Kysely } from 'kysely';
import { readFirst } from '../../db/statements/calls.ts';
import type { Tables } from '../../db/tables.ts';
import { findTagsOf, groupsOfMany, listNoteTexts } from '../affiliates/index.ts';
import { localTimes, rowsOfUser, type PersonalData } from './personal-data.ts';

const ROWS_MAX = 10_000;

/** The coupons that a person has, or had. */
const accountsOf = (db: Kysely<Tables>, userId: number) =>
  db
    .selectFrom('coupons')
    .select('id')
    .where('user_id', '=', userId)
    .union(
      db.selectFrom('former_accounts').select('coupon_id as id').where('user_id', '=', userId),
    );

const findAffiliate = readFirst<{ user_id: number }, { profile: string; registered_at: number }>(
  (db, p) =>
    db
      .selectFrom('affiliates')
      .select(['status', 'profile', 'parent_id', 'registered_at'])
      .where('user_id', '=', p.user_id),
);

/** What the core modules store, in the order of the export. */
export const coreSections: readonly PersonalData[] = [
  {
    section: 'account',
    read: async (_db, { calendar }, user) => ({
      id: user.id,
      login: user.login,
      email: user.email,
      display_name: user.display_name,
      role: user.role,
      language: user.language,
      muted_notices: user.muted_notices,
      has_password: user.password_hash !== null,
      ...localTimes(calendar, user, ['created_at', 'last_seen_at', 'disabled_at']),
    }),
  },
  {
    section: 'affiliate',
    async read(db, { calendar }, { id }) {
      const row = await findAffiliate(db, { user_id: id });
      if (!row) return null;
      const times = localTimes(calendar, row, ['registered_at']);
      return { ...row, ...times, profile: JSON.parse(row.profile) as unknown };
    },
  },
  {
    section: 'notes',
    teamOnly: true,
    read: async (db, { calendar }, { id }) =>
      (await listNoteTexts(db, { user_id: id })).map((note) => ({
        text: note.text,
        ...localTimes(calendar, note, ['created_at']),
      })),
  },
  {
    section: 'groups',
    read: async (db, _site, { id }) => (await groupsOfMany(db, [id])).map(({ name }) => name),
  },
  {
    section: 'tags',
    read: async (db, _site, { id }) => (await findTagsOf(db, [id])).map(({ name }) => name),
  },
  rowsOfUser(
    'applications',
    ['created_at', 'accepted_at', 'declined_at'],
    (db, userId) =>
      db
        .selectFrom('registrations')
        .select(['id', 'status', 'type', 'coupon_code', 'promote', 'referrer', 'website'])
        .select(['message', 'custom_fields', 'created_at', 'accepted_at', 'declined_at'])
        .where('user_id', '=', userId)
        .orderBy('id'),
    ({ custom_fields }) => ({ custom_fields: JSON.parse(custom_fields) as unknown }),
  ),
  {
    ...rowsOfUser('application_notes', [], (db, userId) =>
      db
        .selectFrom('registrations')
        .select(['id as registration_id', 'decline_reason', 'decline_note'])
        .where('user_id', '=', userId)
        .where((eb) =>
          eb.or([eb('decline_reason', '<>', sql.lit('')), eb('decline_note', '<>', sql.lit(''))]),
        )
        .orderBy('id'),
    ),
    teamOnly: true,
  },
  rowsOfUser('application_messages', ['created_at'], (db, userId) =>
    db
      .selectFrom('registration_messages')
      .innerJoin('registrations', 'registrations.id', 'registration_messages.registration_id')
      .select(['registration_id', 'text', 'registration_messages.created_at'])
      .where('registrations.user_id', '=', userId)
      .orderBy('registration_messages.id'),
  ),
  rowsOfUser('coupons', ['created_at'], (db, userId) =>
    db
      .selectFrom('coupons')
      .select(['id', 'code', 'status', 'created_at'])
      .select(
        sql<number>`cast((select coalesce(sum(clicks), 0) from click_days where coupon_id = coupons.id)
          - (select coalesce(sum(clicks), 0) from former_clicks
            where coupon_id = coupons.id and kind = 'campaign') as bigint)`.as('clicks'),
      )
      .where('user_id', '=', userId)
      .orderBy('id'),
  ),
  rowsOfUser(
    'orders',
    [],
    (db, userId) =>
      db
        .selectFrom('referrals')
        .select(['order_id', 'coupon_id', 'day', 'referrals.state', 'via', 'commission'])
        .where('referrals.user_id', '=', userId)
        .where('referrals.coupon_id', 'in', accountsOf(db, userId))
        .where('dropped', '=', sql.lit(0))
        .orderBy('day', 'desc')
        .orderBy('order_id', 'desc')
        .limit(sql.lit(ROWS_MAX)),
    ({ commission }, { currency }) => ({ commission: currency.toMajor(commission) }),
  ),
  rowsOfUser(
    'ledger',
    ['created_at'],
    (db, userId) =>
      db
        .selectFrom('ledger')
        .select(['ledger.id', 'coupon_id', 'order_id', 'payout_id', 'kind', 'from_pool', 'to_pool'])
        .select(['amount', 'note', 'ledger.created_at'])
        .where('owner_id', '=', userId)
        .where('coupon_id', 'in', accountsOf(db, userId))
        .orderBy('ledger.id', 'desc')
        .limit(sql.lit(ROWS_MAX)),
    ({ amount }, { currency }) => ({ amount: currency.toMajor(amount) }),
  ),
];
