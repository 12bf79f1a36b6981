import { invoke } from '../../kernel/call/invoke.ts';
import { CommandError, type CommandContext } from '../../kernel/declare/command.ts';
import { textTable } from '../../shared/text-table.ts';
import { requireUser } from '../users/index.ts';
import { changeMember } from './change-member.ts';
import { listTeam } from './list-team.ts';
import { isMember } from './member.ts';
import type { Member } from './team-wire.ts';

export async function list({ withSite, print }: CommandContext): Promise<void> {
  await withSite(async (site) => {
    const members: Member[] = [];
    for (let page = 1; ; page++) {
      const some = await invoke<Member[]>(site, listTeam, { page, per_page: 100 });
      members.push(...some);
      if (some.length < 100) break;
    }
    print(members, () =>
      textTable(
        ['id', 'login', 'role', 'state', 'second factor', 'last seen', 'email address'],
        members.map((member) => [
          String(member.id),
          member.login,
          member.role,
          stateOf(member),
          member.two_factor ? 'yes' : 'no',
          member.last_seen ?? 'never',
          member.email,
        ]),
      ),
    );
  });
}

export async function change(
  { withSite, print }: CommandContext,
  name: string,
  wanted: { role?: string; disabled?: boolean },
): Promise<void> {
  await withSite(async (site) => {
    const user = await requireUser(site, name);
    if (!isMember(user)) {
      throw new CommandError(
        'refused',
        `${user.login} is neither administrator nor manager, but ${user.role}.`,
      );
    }
    const member = await invoke<Member>(site, changeMember, { id: user.id, ...wanted });
    print(member, () => `${member.login} is now ${member.role}, ${stateOf(member)}.`);
  });
}

function stateOf({ disabled, has_password }: Member): string {
  if (disabled) return 'disabled';
  return has_password ? 'active' : 'invited';
}
