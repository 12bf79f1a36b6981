import type { Role } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { notices, type Notice } from '../mail/index.ts';
import type { UserRow } from '../users/index.ts';

export type Choices = Record<string, boolean>;

/** The names of the notices that active modules send. */
export function noticeNames(site: Site): string[] {
  return site.registry.contributions(notices).map(({ name }) => name);
}

const audiencesOf: Partial<Record<Role, readonly Notice['audience'][]>> = {
  administrator: ['team', 'administrators'],
  manager: ['team'],
};

/** Every notice that concerns the user, and whether the user gets it. */
export function choicesOf(
  site: Site,
  { role, muted_notices }: Pick<UserRow, 'role' | 'muted_notices'>,
): Choices {
  const muted = new Set(muted_notices.split(','));
  const audiences = new Set(['everyone', ...(audiencesOf[role] ?? [])]);
  const known = site.registry
    .contributions(notices)
    .filter(({ audience }) => audiences.has(audience))
    .filter(({ shownWhile }) => !shownWhile || site.settings.get(shownWhile));
  return Object.fromEntries(known.map(({ name }) => [name, !muted.has(name)]));
}

/** The column after a change. Choices about notices of an add-on that is inactive now stay. */
export function withChoices({ muted_notices }: Pick<UserRow, 'muted_notices'>, choices: Choices) {
  const muted = new Set(muted_notices.split(',').filter(Boolean));
  for (const [name, wanted] of Object.entries(choices)) {
    if (wanted) muted.delete(name);
    else muted.add(name);
  }
  return [...muted].toSorted().join(',');
}
