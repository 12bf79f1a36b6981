import { sql } from 'kysely';
import { query } from '../../db/statements/query.ts';
import { findTagsOf, groupsOfMany, listNoteTexts } from '../affiliates/index.ts';
import { localTimes, type PersonalData } from './personal-data.ts';

type OfUser = { user_id: number };
const ROWS_MAX = 10_000;

const affiliate = query<OfUser, { profile: string; registered_at: number }>((db, p) =>
  db
    .selectFrom('affiliates')
    .select(['status', 'profile', 'parent_id', 'registered_at'])
    .where('user_id', '=', p.user_id),
);
interface Application {
  custom_fields: string;
  created_at: number;
  accepted_at: number | null;
  declined_at: number | null;
}
const applications = query<OfUser, Application>((db, p) =>
  db
    .selectFrom('registrations')
    .select(['id', 'status', 'type', 'coupon_code', 'promote', 'referrer', 'website', 'message'])
    .select(['custom_fields', 'created_at', 'accepted_at', 'declined_at'])
    .where('user_id', '=', p.user_id)
    .orderBy('id'),
);
const applicationNotes = query<OfUser, { registration_id: number; decline_note: string }>((db, p) =>
  db
    .selectFrom('registrations')
    .select(['id as registration_id', 'decline_reason', 'decline_note'])
    .where('user_id', '=', p.user_id)
    .where((eb) =>
      eb.or([eb('decline_reason', '<>', sql.lit('')), eb('decline_note', '<>', sql.lit(''))]),
    )
    .orderBy('id'),
);
const messages = query<OfUser, { created_at: number }>((db, p) =>
  db
    .selectFrom('registration_messages')
    .innerJoin('registrations', 'registrations.id', 'registration_messages.registration_id')
    .select(['registration_id', 'text', 'registration_messages.created_at'])
    .where('registrations.user_id', '=', p.user_id)
    .orderBy('registration_messages.id'),
);
const coupons = query<OfUser, { created_at: number; clicks: number }>((db, p) =>
  db
    .selectFrom('coupons')
    .select(['id', 'code', 'status', 'created_at'])
    .select(
      sql<number>`cast((select coalesce(sum(clicks), 0) from click_days where coupon_id = coupons.id) as bigint)`.as(
        'clicks',
      ),
    )
    .where('user_id', '=', p.user_id)
    .orderBy('id'),
);
const orders = query<
  OfUser,
  { order_id: number; coupon_id: number; day: string; via: string; commission: number }
>((db, p) =>
  db
    .selectFrom('referrals')
    .innerJoin('coupons', 'coupons.id', 'referrals.coupon_id')
    .select(['order_id', 'coupon_id', 'day', 'referrals.state', 'via', 'commission'])
    .where('coupons.user_id', '=', p.user_id)
    .where('dropped', '=', sql.lit(0))
    .orderBy('day', 'desc')
    .orderBy('order_id', 'desc')
    .limit(sql.lit(ROWS_MAX)),
);

const ledger = query<OfUser, { amount: number; created_at: number }>((db, p) =>
  db
    .selectFrom('ledger')
    .innerJoin('coupons', 'coupons.id', 'ledger.coupon_id')
    .select(['ledger.id', 'coupon_id', 'order_id', 'payout_id', 'kind', 'from_pool', 'to_pool'])
    .select(['amount', 'note', 'ledger.created_at'])
    .where('coupons.user_id', '=', p.user_id)
    .orderBy('ledger.id', 'desc')
    .limit(sql.lit(ROWS_MAX)),
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
      const row = await db.first(affiliate, { user_id: id });
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
  {
    section: 'applications',
    read: async (db, { calendar }, { id }) =>
      (await db.all(applications, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at', 'accepted_at', 'declined_at']),
        custom_fields: JSON.parse(row.custom_fields) as unknown,
      })),
  },
  {
    section: 'application_notes',
    teamOnly: true,
    read: (db, _site, { id }) => db.all(applicationNotes, { user_id: id }),
  },
  {
    section: 'application_messages',
    read: async (db, { calendar }, { id }) =>
      (await db.all(messages, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at']),
      })),
  },
  {
    section: 'coupons',
    read: async (db, { calendar }, { id }) =>
      (await db.all(coupons, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at']),
      })),
  },
  {
    section: 'orders',
    read: async (db, { currency }, { id }) =>
      (await db.all(orders, { user_id: id })).map((row) => ({
        ...row,
        commission: currency.toMajor(row.commission),
      })),
  },
  {
    section: 'ledger',
    read: async (db, { calendar, currency }, { id }) =>
      (await db.all(ledger, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at']),
        amount: currency.toMajor(row.amount),
      })),
  },
];
