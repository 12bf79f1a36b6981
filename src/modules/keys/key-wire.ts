import Type, { type Static } from 'typebox';
import { scopes, type Scope } from '../../kernel/caller.ts';
import { LocalTime, Nullable, StringEnum } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import { statusOf, type KeyRow } from './key-store.ts';
import { lastUsedOf } from './last-used.ts';

export const keyStatuses = ['active', 'revoked', 'expired'] as const;

const fields = {
  id: Type.Integer(),
  user_id: Type.Integer({ description: 'The user the key belongs to.' }),
  description: Type.String(),
  key_prefix: Type.String({ description: 'The first 12 characters, to tell keys apart.' }),
  scopes: Type.Array(StringEnum(scopes)),
  status: StringEnum(keyStatuses),
  last_used: Nullable(LocalTime('Exact to a minute.')),
  date_created: LocalTime('When the key was created.'),
  date_expires: Nullable(LocalTime('The last second at which the key is valid.')),
};

export const KeySchema = Type.Object(fields, { $id: 'ApiKey' });

export const NewKeySchema = Type.Object(
  {
    ...fields,
    token: Type.String({ description: 'The key itself. It is shown this once.' }),
    notice: Type.String(),
  },
  { $id: 'NewApiKey' },
);

export function toKey(row: KeyRow, site: Site, nowMs: number): Static<typeof KeySchema> {
  return {
    id: row.id,
    user_id: row.user_id,
    description: row.description,
    key_prefix: row.key_prefix,
    scopes: JSON.parse(row.scopes) as Scope[],
    status: statusOf(row, nowMs),
    last_used: site.calendar.toLocal(lastUsedOf(site).latestOf(row.id, row.last_used_at)),
    date_created: site.calendar.toLocal(row.created_at),
    date_expires: site.calendar.toLocal(row.expires_at),
  };
}
