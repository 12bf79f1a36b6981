import Type, { type Static } from 'typebox';
import { scopes, type Scope } from '../../kernel/declare/caller.ts';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { statusOf, type KeyRow } from './key-rows.ts';
import { lastUsedOf } from './last-used.ts';

export const keyStatuses = ['active', 'revoked', 'expired'] as const;

export const keyFields = {
  id: Type.Integer({ description: 'The id of the key; the key itself is a secret.' }),
  user_id: Type.Integer({ description: 'The user the key belongs to.' }),
  description: Type.String({ description: 'A label for people.' }),
  key_prefix: Type.String({ description: 'The first 12 characters, to tell keys apart.' }),
  scopes: Type.Array(StringEnum(scopes), { description: 'The permissions of the key.' }),
  status: StringEnum(keyStatuses),
  last_used: Nullable(LocalTime('Exact to a minute.')),
  date_created: LocalTime('When the key was created.'),
  date_expires: Nullable(LocalTime('The last second at which the key is valid.')),
};

export const keyExample = {
  id: 3,
  user_id: 1,
  description: 'Order sync of the shop',
  key_prefix: 'svc_4fT9xQ2m',
  scopes: ['read', 'write'],
  status: 'active',
  last_used: null,
  date_created: '2026-01-10T10:58:21',
  date_expires: '2026-12-31T23:59:59',
};

export const KeySchema = Type.Object(keyFields, {
  $id: 'ApiKey',
  examples: [{ ...keyExample, last_used: '2026-02-11T16:20:00' }],
});

export const NewKeySchema = Type.Object(
  {
    ...keyFields,
    token: Type.String({ description: 'The key itself. It is shown only once.' }),
    notice: Type.String({ description: 'A reminder to store the key now.' }),
  },
  {
    $id: 'NewApiKey',
    examples: [
      {
        ...keyExample,
        token: 'svc_4fT9xQ2mVb7LrK0eWc3NsY8aHd5JpZ6uGi1oXqRt',
        notice: 'Keep this key now: it is not shown again.',
      },
    ],
  },
);

export function toKey(row: KeyRow, site: Site, nowMs: number): Static<typeof KeySchema> {
  return {
    id: row.id,
    user_id: row.user_id,
    description: row.description,
    key_prefix: row.key_prefix,
    // `makeKey` stores scopes only.
    scopes: JSON.parse(row.scopes) as Scope[],
    status: statusOf(row, nowMs),
    last_used: site.calendar.toLocal(lastUsedOf(site).latestOf(row.id, row.last_used_at)),
    date_created: site.calendar.toLocal(row.created_at),
    date_expires: site.calendar.toLocal(row.expires_at),
  };
}
