import { sql } from 'kysely';
import { beginsWith } from '../../db/statements/begins-with.ts';
import { readCount } from '../../db/lists/paged-list.ts';
import { query } from '../../db/statements/query.ts';
import { localTimes, type PersonalData } from './personal-data.ts';

type OfUser = { user_id: number };
const ROWS_MAX = 10_000;

const sessions = query<OfUser, { created_at: number; seen_at: number }>((db, p) =>
  db
    .selectFrom('sessions')
    .select(['created_at', 'seen_at', 'user_agent', 'address'])
    .where('user_id', '=', p.user_id),
);
interface Key {
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}
const keys = query<OfUser, Key>((db, p) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'description', 'key_prefix', 'scopes'])
    .select(['created_at', 'expires_at', 'revoked_at', 'last_used_at'])
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
interface ToPerson {
  address: string;
  changed: string;
  confirmed: string;
}
/** Also those about a change of the address, which went to the former one. */
const mails = query<ToPerson, { created_at: number; sent_at: number | null }>((db, p) =>
  db
    .selectFrom('outbox')
    .select(['template', 'to_address', 'subject', 'text', 'state', 'created_at', 'sent_at'])
    .where((eb) =>
      eb.or([
        eb('to_address', '=', p.address),
        beginsWith('key', p.changed),
        beginsWith('key', p.confirmed),
      ]),
    )
    .orderBy('id'),
);
const applicationPasswords = query<OfUser, { created_at: number; revoked_at: number | null }>(
  (db, p) =>
    db
      .selectFrom('application_passwords')
      .select(['id', 'description', 'created_at', 'revoked_at'])
      .where('user_id', '=', p.user_id)
      .orderBy('id'),
);
const totp = query<OfUser, { created_at: number; confirmed_at: number | null }>((db, p) =>
  db
    .selectFrom('totp_secrets')
    .select(['created_at', 'confirmed_at'])
    .where('user_id', '=', p.user_id),
);
const recoveryCodes = readCount((db, p: OfUser) =>
  db.selectFrom('recovery_codes').where('user_id', '=', p.user_id),
);
interface Link {
  created_at: number;
  expires_at: number;
  ended_at: number | null;
}
const links = query<OfUser, Link>((db, p) =>
  db
    .selectFrom('account_links')
    .select(['purpose', 'data', 'created_at', 'expires_at', 'ended_at'])
    .where('user_id', '=', p.user_id)
    .orderBy('created_at'),
);
const activity = query<OfUser, { created_at: number }>((db, p) =>
  db
    .selectFrom('events')
    .select(['id', 'event', 'object_id', 'info', 'created_at'])
    .where('user_id', '=', p.user_id)
    .orderBy('id', 'desc')
    .limit(sql.lit(ROWS_MAX)),
);

/** How a person gets in, which mails it got, and what it did. */
export const accessSections: readonly PersonalData[] = [
  {
    section: 'mails',
    async read(db, { calendar }, { id, email: address }) {
      const changed = `address-changed:${id}:`;
      const confirmed = `address-confirmed:${id}:`;
      return (await db.all(mails, { address, changed, confirmed })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at', 'sent_at']),
      }));
    },
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
        ...localTimes(calendar, row, ['created_at', 'expires_at', 'revoked_at', 'last_used_at']),
      })),
  },
  {
    section: 'application_passwords',
    read: async (db, { calendar }, { id }) =>
      (await db.all(applicationPasswords, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at', 'revoked_at']),
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
  {
    section: 'second_factor',
    async read(db, { calendar }, { id }) {
      const app = await db.first(totp, { user_id: id });
      return {
        authenticator_app: app ? localTimes(calendar, app, ['created_at', 'confirmed_at']) : null,
        recovery_codes_left: await recoveryCodes(db, { user_id: id }),
      };
    },
  },
  {
    section: 'links',
    read: async (db, { calendar }, { id }) =>
      (await db.all(links, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at', 'expires_at', 'ended_at']),
      })),
  },
  {
    section: 'activity',
    read: async (db, { calendar }, { id }) =>
      (await db.all(activity, { user_id: id })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at']),
      })),
  },
];
