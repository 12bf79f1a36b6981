import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { usersWithFactor } from '../two-factor/index.ts';
import type { MemberRow } from './member.ts';
import { teamRoles } from './team-rows.ts';

export const MemberSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the user.' }),
    login: Type.String(),
    email: Type.String(),
    display_name: Type.String({ description: 'The name as people read it.' }),
    role: StringEnum(teamRoles),
    disabled: Type.Boolean({ description: 'True if every credential of this user is refused.' }),
    has_password: Type.Boolean({
      description: 'False until an invited user has set a password.',
    }),
    two_factor: Type.Boolean({ description: 'True if there is a second factor.' }),
    last_seen: Nullable(LocalTime('The last use of a session; null for never.')),
    date_created: LocalTime('When the user was created.'),
  },
  {
    $id: 'TeamMember',
    examples: [
      {
        id: 2,
        login: 'marcus',
        email: 'marcus@example.com',
        display_name: 'Marcus Lind',
        role: 'manager',
        disabled: false,
        has_password: true,
        two_factor: true,
        last_seen: '2026-02-11T16:20:00',
        date_created: '2026-01-10T10:55:47',
      },
    ],
  },
);
export type Member = Static<typeof MemberSchema>;

export async function toMembers(
  db: Reader,
  { calendar }: Site,
  rows: readonly MemberRow[],
): Promise<Member[]> {
  const protectedIds = await usersWithFactor(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    login: row.login,
    email: row.email,
    display_name: row.display_name,
    role: row.role,
    disabled: row.disabled_at !== null,
    has_password: row.password_hash !== null,
    two_factor: protectedIds.has(row.id),
    last_seen: row.last_seen_at === null ? null : calendar.toLocal(row.last_seen_at),
    date_created: calendar.toLocal(row.created_at),
  }));
}

export async function toMember(db: Reader, site: Site, row: MemberRow): Promise<Member> {
  return (await toMembers(db, site, [row]))[0]!;
}
