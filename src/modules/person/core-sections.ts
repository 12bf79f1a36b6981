import { sql } from 'kysely';
import { query } from '../../db/statements/query.ts';
import type { SiteCalendar } from '../../shared/dates.ts';
import { findTagsOf, listNoteTexts } from '../affiliates/index.ts';
import type { PersonalData } from './personal-data.ts';

type OfUser = { user_id: number };
const ORDERS_MAX = 10_000;

const affiliate = query<OfUser, { status: string; profile: string; registered_at: number }>(
  (db, p) =>
    db
      .selectFrom('affiliates')
      .select(['status', 'profile', 'registered_at'])
      .where('user_id', '=', p.user_id),
);
const applications = query<OfUser, { custom_fields: string; created_at: number }>((db, p) =>
  db
    .selectFrom('registrations')
    .select(['id', 'status', 'type', 'coupon_code', 'promote', 'referrer', 'website', 'message'])
    .select(['custom_fields', 'created_at', 'decline_reason', 'decline_note'])
    .where('user_id', '=', p.user_id)
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
const sessions = query<OfUser, { created_at: number; seen_at: number }>((db, p) =>
  db
    .selectFrom('sessions')
    .select(['created_at', 'seen_at', 'user_agent', 'address'])
    .where('user_id', '=', p.user_id),
);
const keys = query<OfUser, { created_at: number; last_used_at: number | null }>((db, p) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'description', 'key_prefix', 'scopes', 'created_at', 'last_used_at'])
    .where('user_id', '=', p.user_id)
    .orderBy('id'),
);
const passkeys = query<OfUser, { created_at: number; last_used_at: number | null }>((db, p) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', p.user_id)
    .orderBy('id'),
);
const mails = query<{ address: string }, { created_at: number; sent_at: number | null }>((db, p) =>
  db
    .selectFrom('outbox')
    .select(['template', 'subject', 'text', 'state', 'created_at', 'sent_at'])
    .where('to_address', '=', p.address)
    .orderBy('id'),
);
const coupons = query<OfUser, { id: number; code: string; status: string; clicks: number }>(
  (db, p) =>
    db
      .selectFrom('coupons')
      .select(['id', 'code', 'status'])
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
  { order_id: number; coupon_id: number; day: string; state: string; commission: number }
>((db, p) =>
  db
    .selectFrom('referrals')
    .innerJoin('coupons', 'coupons.id', 'referrals.coupon_id')
    .select(['order_id', 'coupon_id', 'day', 'referrals.state', 'commission'])
    .where('coupons.user_id', '=', p.user_id)
    .where('dropped', '=', sql.lit(0))
    .orderBy('day', 'desc')
    .orderBy('order_id', 'desc')
    .limit(sql.lit(ORDERS_MAX)),
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
    read: async (db, { calendar }, { id }) =>
      (await listNoteTexts(db, id)).map((note) => ({
        text: note.text,
        ...localTimes(calendar, note, ['created_at']),
      })),
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
        ...localTimes(calendar, row, ['created_at']),
        custom_fields: JSON.parse(row.custom_fields) as unknown,
      })),
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
    read: (db, _site, { id }) => db.all(coupons, { user_id: id }),
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
    section: 'mails',
    read: async (db, { calendar }, { email }) =>
      (await db.all(mails, { address: email })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at', 'sent_at']),
      })),
  },
  {
    section: 'sessions',
    read: async (db, { calendar }, { id }) =>
      (await db.all(sessions, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at', 'seen_at']),
      })),
  },
  {
    section: 'keys',
    read: async (db, { calendar }, { id }) =>
      (await db.all(keys, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at', 'last_used_at']),
      })),
  },
  {
    section: 'passkeys',
    read: async (db, { calendar }, { id }) =>
      (await db.all(passkeys, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at', 'last_used_at']),
      })),
  },
];

/** Stored times as people read them. */
function localTimes<K extends string>(
  calendar: SiteCalendar,
  row: Record<K, number | null>,
  names: readonly K[],
): Record<string, string | null> {
  const entries = names.map((name): [string, string | null] => {
    const at = row[name];
    return [name, at === null ? null : calendar.toLocal(at)];
  });
  return Object.fromEntries(entries);
}
