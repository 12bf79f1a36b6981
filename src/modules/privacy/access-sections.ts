import { sql } from 'kysely';
import { readCount } from '../../db/lists/paged-list.ts';
import { beginsWith } from '../../db/statements/begins-with.ts';
import { readAll, readFirst } from '../../db/statements/calls.ts';
import { localTimes, rowsOfUser, type PersonalData } from './personal-data.ts';

const ROWS_MAX = 10_000;

interface ToPerson {
  address: string;
  changed: string;
  confirmed: string;
}

/** Also those about a change of the address, which went to the former one. */
const listMails = readAll<ToPerson, { created_at: number; sent_at: number | null }>((db, p) =>
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

const findTotp = readFirst<
  { user_id: number },
  { created_at: number; confirmed_at: number | null }
>((db, p) =>
  db
    .selectFrom('totp_secrets')
    .select(['created_at', 'confirmed_at'])
    .where('user_id', '=', p.user_id),
);

const countRecoveryCodes = readCount((db, p: { user_id: number }) =>
  db.selectFrom('recovery_codes').where('user_id', '=', p.user_id),
);

/** How a person gets in, which mails it got, and what it did. */
export const accessSections: readonly PersonalData[] = [
  {
    section: 'mails',
    async read(db, { calendar }, { id, email: address }) {
      const changed = `address-changed:${id}:`;
      const confirmed = `address-confirmed:${id}:`;
      return (await listMails(db, { address, changed, confirmed })).map((row) => ({
        ...row,
        ...localTimes(calendar, row, ['created_at', 'sent_at']),
      }));
    },
  },
  rowsOfUser('sessions', ['created_at', 'seen_at'], (db, userId) =>
    db
      .selectFrom('sessions')
      .select(['created_at', 'seen_at', 'user_agent', 'address'])
      .where('user_id', '=', userId),
  ),
  rowsOfUser('keys', ['created_at', 'expires_at', 'revoked_at', 'last_used_at'], (db, userId) =>
    db
      .selectFrom('api_keys')
      .select(['id', 'description', 'key_prefix', 'scopes'])
      .select(['created_at', 'expires_at', 'revoked_at', 'last_used_at'])
      .where('user_id', '=', userId)
      .orderBy('id'),
  ),
  rowsOfUser('application_passwords', ['created_at', 'revoked_at'], (db, userId) =>
    db
      .selectFrom('application_passwords')
      .select(['id', 'description', 'created_at', 'revoked_at'])
      .where('user_id', '=', userId)
      .orderBy('id'),
  ),
  rowsOfUser('passkeys', ['created_at', 'last_used_at'], (db, userId) =>
    db
      .selectFrom('passkeys')
      .select(['id', 'name', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId)
      .orderBy('id'),
  ),
  {
    section: 'second_factor',
    async read(db, { calendar }, { id }) {
      const app = await findTotp(db, { user_id: id });
      return {
        authenticator_app: app ? localTimes(calendar, app, ['created_at', 'confirmed_at']) : null,
        recovery_codes_left: await countRecoveryCodes(db, { user_id: id }),
      };
    },
  },
  rowsOfUser('links', ['created_at', 'expires_at', 'ended_at'], (db, userId) =>
    db
      .selectFrom('account_links')
      .select(['purpose', 'data', 'created_at', 'expires_at', 'ended_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at'),
  ),
  rowsOfUser('report_views', [], (db, userId) =>
    db
      .selectFrom('report_views')
      .select(['id', 'name', 'query'])
      .where('user_id', '=', userId)
      .orderBy('id'),
  ),
  rowsOfUser('activity', ['created_at'], (db, userId) =>
    db
      .selectFrom('events')
      .select(['id', 'event', 'object_id', 'info', 'created_at'])
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .limit(sql.lit(ROWS_MAX)),
  ),
];
