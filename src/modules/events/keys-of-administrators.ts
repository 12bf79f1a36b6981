import { sql, type SqlBool } from 'kysely';
import { isPluginAdmin, type Caller } from '../../kernel/declare/caller.ts';

/** Of a list of keys, or of events. */
export interface KeyVisibility {
  /** Leaves out the keys of administrators. */
  not_of_administrators?: 1 | undefined;
}

/** Managers see no keys of administrators: neither in lists nor in the events about them. */
export function keysVisibleTo(caller: Caller): KeyVisibility {
  return isPluginAdmin(caller) ? {} : { not_of_administrators: 1 };
}

/** Whether the row of `api_keys` belongs to an administrator. */
export const isOfAdministrator = sql<SqlBool>`exists (
  select 1 from users where users.id = api_keys.user_id and users.role = 'administrator'
)`;

/** Whether the row of `events` is about such a key. */
export const isAboutAdministratorsKey = sql<SqlBool>`kind = 'key' and exists (
  select 1 from api_keys where api_keys.id = object_id and ${isOfAdministrator}
)`;

/** Also true for every event that is not about a key. */
export const isAboutVisibleKey = sql<SqlBool>`not (${isAboutAdministratorsKey})`;
