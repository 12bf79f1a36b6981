import { CommandError } from '../../kernel/declare/command.ts';
import type { CommandContext } from '../../kernel/declare/command.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { curlHere } from '../../kernel/present/curl.ts';
import { textTable } from '../../shared/text-table.ts';
import { requireUser } from '../users/index.ts';
import { createApplicationPassword, revokeApplicationPassword } from './application-password.ts';
import { findPassword, listPasswords } from './password-rows.ts';

export interface UserFlags {
  user: string;
  description?: string;
}

export async function create({ withSite, print }: CommandContext, flags: UserFlags): Promise<void> {
  await withSite(async (site) => {
    const owner = await requireUser(site, flags.user);
    const made = await createApplicationPassword(site, owner.id, flags.description ?? '');
    print(made, () =>
      [
        `Application password ${made.id} for ${owner.login}, shown only once: ${made.password}`,
        '',
        `${curlHere(site)} -u '${owner.login}:${made.password}' ${site.publicUrl}/svc/v2/me`,
      ].join('\n'),
    );
  });
}

export async function list({ withSite, print }: CommandContext, flags: UserFlags): Promise<void> {
  await withSite(async (site) => {
    const owner = await requireUser(site, flags.user);
    const rows = (await listPasswords(site.database.read, { user_id: owner.id })).map((row) => ({
      id: row.id,
      description: row.description,
      status: row.revoked_at === null ? 'active' : 'revoked',
      date_created: site.calendar.toLocal(row.created_at),
    }));
    print(rows, () =>
      textTable(
        ['id', 'status', 'created', 'description'],
        rows.map((row) => [String(row.id), row.status, row.date_created, row.description]),
      ),
    );
  });
}

export async function revoke({ withSite, print }: CommandContext, id: string): Promise<void> {
  await withSite(async (site) => {
    const number = await requirePassword(site, id);
    await revokeApplicationPassword(site, number);
    print({ revoked: true }, () => `Application password ${id} is revoked.`);
  });
}

async function requirePassword(site: Site, id: string): Promise<number> {
  const number = Number(id);
  if (!Number.isSafeInteger(number)) throw new CommandError('usage', `"${id}" is not a number.`);
  const found = await findPassword(site.database.read, { id: number });
  if (!found) throw new CommandError('notFound', `There is no application password ${id}.`);
  return number;
}
