import { CommandError } from '../../kernel/declare/command.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { findUserByName, type UserRow } from './user-rows.ts';

/** For commands: finds a user by login or email address. */
export async function requireUser(site: Site, name: string): Promise<UserRow> {
  const user = await findUserByName(site.database.read, name);
  if (!user) {
    throw new CommandError(
      'notFound',
      `There is no user with the login or email address "${name}".`,
    );
  }
  return user;
}
