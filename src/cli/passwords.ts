import { curlHere } from '../kernel/present/curl.ts';
import type { Site } from '../kernel/declare/site.ts';
import {
  createApplicationPassword,
  findPassword,
  listPasswords,
  revokeApplicationPassword,
} from '../modules/passwords/index.ts';
import { CommandError } from './failure.ts';
import { print, table } from './output.ts';
import { requireUser, withSite, type Flags } from './with-site.ts';

export interface UserFlags extends Flags {
  user: string;
  description?: string;
}

export async function create(flags: UserFlags): Promise<void> {
  await withSite(flags, async (site) => {
    const owner = await requireUser(site, flags.user);
    const made = await createApplicationPassword(site, owner.id, flags.description ?? '');
    print(flags.json, made, () =>
      [
        `Application password ${made.id} for ${owner.login}, shown this once: ${made.password}`,
        '',
        `${curlHere(site)} -u '${owner.login}:${made.password}' ${site.publicUrl}/svc/v2/me`,
      ].join('\n'),
    );
  });
}

export async function list(flags: UserFlags): Promise<void> {
  await withSite(flags, async (site) => {
    const owner = await requireUser(site, flags.user);
    const rows = (await listPasswords(site.database.read, owner.id)).map((row) => ({
      id: row.id,
      description: row.description,
      status: row.revoked_at === null ? 'active' : 'revoked',
      date_created: site.calendar.toLocal(row.created_at),
    }));
    print(flags.json, rows, () =>
      table(
        ['id', 'status', 'created', 'description'],
        rows.map((row) => [String(row.id), row.status, row.date_created, row.description]),
      ),
    );
  });
}

export async function revoke(id: string, flags: Flags): Promise<void> {
  await withSite(flags, async (site) => {
    const number = await requirePassword(site, id);
    await revokeApplicationPassword(site, number);
    print(flags.json, { revoked: true }, () => `Application password ${id} is revoked.`);
  });
}

async function requirePassword(site: Site, id: string): Promise<number> {
  const number = Number(id);
  if (!Number.isSafeInteger(number)) throw new CommandError('usage', `"${id}" is not a number.`);
  const found = await findPassword(site.database.read, number);
  if (!found) throw new CommandError('notFound', `There is no application password ${id}.`);
  return number;
}
