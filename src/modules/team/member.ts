import type { Reader } from '../../db/database.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { findUser, type UserRow } from '../users/index.ts';
import type { TeamRole } from './team-rows.ts';

export type MemberRow = UserRow & { role: TeamRole };

/** Affiliates and customers are not part of the team, and respond like users that do not exist. */
export async function requireMember(db: Reader, id: number): Promise<MemberRow> {
  const user = await findUser(db, id);
  if (!user || !isMember(user)) throw new ApiError(generalErrors.notFound);
  return user;
}

export function isMember(user: UserRow): user is MemberRow {
  return user.role === 'administrator' || user.role === 'manager';
}
