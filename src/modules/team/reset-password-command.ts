import type { Transaction } from '../../db/database.ts';
import type { CommandContext } from '../../kernel/declare/command.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { createAccountLink } from '../accounts/index.ts';
import { endSessions } from '../sessions/index.ts';
import { removeSecondFactors } from '../two-factor/index.ts';
import {
  hashPassword,
  readPasswordFile,
  requireGoodPassword,
  requireUser,
  savePassword,
  type UserRow,
} from '../users/index.ts';

export interface ResetFlags {
  passwordFile?: string;
  twoFactor?: boolean;
}

/** Sets the password of a file, or prints a link with which the user chooses one. */
export async function resetPassword(
  { withSite, print }: CommandContext,
  { passwordFile, twoFactor = false }: ResetFlags,
  name: string,
): Promise<void> {
  await withSite(async (site) => {
    const user = await requireUser(site, name);
    const hash = passwordFile === undefined ? undefined : await hashOf(site, user, passwordFile);
    const done = await site.database.transaction(async (tx) => {
      const nowMs = site.clock();
      const removed = twoFactor && (await removeSecondFactors(tx, site, user, nowMs));
      const link = await reset(tx, site, user, hash, nowMs);
      return { user_id: user.id, login: user.login, two_factor_removed: removed, ...link };
    });
    print(done, () =>
      [
        done.link === undefined
          ? `The password of ${user.login} is set, and all sessions have ended.`
          : `Link for ${user.login}, valid once and for one hour: ${done.link}`,
        ...(done.two_factor_removed ? ['All second factors are removed.'] : []),
      ].join('\n'),
    );
  });
}

async function hashOf(site: Site, user: UserRow, file: string): Promise<string> {
  const password = readPasswordFile(file);
  await requireGoodPassword(site, password, user);
  return hashPassword(password);
}

async function reset(
  tx: Transaction,
  site: Site,
  user: UserRow,
  hash: string | undefined,
  nowMs: number,
): Promise<{ link?: string }> {
  if (hash === undefined) {
    const wanted = { userId: user.id, purpose: 'reset' } as const;
    return { link: await createAccountLink(tx, site, wanted, nowMs) };
  }
  await savePassword(tx, { id: user.id, password_hash: hash });
  await endSessions(tx, site, { userId: user.id }, nowMs);
  tx.afterCommitEverywhere(() => site.invalidateCaches());
  return {};
}
