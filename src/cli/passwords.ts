import type { Command } from 'commander';
import type { Site } from '../kernel/site.ts';
import {
  createApplicationPassword,
  findPassword,
  listPasswords,
  revokeApplicationPassword,
} from '../modules/passwords/index.ts';
import { curlFor } from './curl.ts';
import { CommandError } from './failure.ts';
import { print, table } from './output.ts';
import { requireUser, withSite, type Flags } from './with-site.ts';

interface UserFlags extends Flags {
  user: string;
  description?: string;
}

export function addPasswords(program: Command): Command[] {
  const passwords = program
    .command('passwords')
    .description('application passwords, for HTTP Basic');
  return [
    passwords
      .command('create')
      .description('make an application password and show it this once')
      .requiredOption('--user <login>', 'login or e-mail address of its owner')
      .option('--description <text>', 'a label for people')
      .addHelpText('after', '\nExample:\n  ./tributary passwords create --user admin')
      .action(create),
    passwords
      .command('list')
      .description("list a user's application passwords")
      .requiredOption('--user <login>', 'login or e-mail address of their owner')
      .addHelpText('after', '\nExample:\n  ./tributary passwords list --user admin')
      .action(list),
    passwords
      .command('revoke')
      .description('make an application password invalid')
      .argument('<id>', 'its number')
      .addHelpText('after', '\nExample:\n  ./tributary passwords revoke 1')
      .action(revoke),
  ];
}

async function create(flags: UserFlags): Promise<void> {
  await withSite(flags, async (site, { config, folder }) => {
    const owner = await requireUser(site, flags.user);
    const made = await createApplicationPassword(site, owner.id, flags.description ?? '');
    print(flags.json, made, () =>
      [
        `Application password ${made.id} for ${owner.login}, shown this once: ${made.password}`,
        '',
        `${curlFor(config, folder)} -u '${owner.login}:${made.password}' ${site.publicUrl}/svc/v2/me`,
      ].join('\n'),
    );
  });
}

async function list(flags: UserFlags): Promise<void> {
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

async function revoke(id: string, flags: Flags): Promise<void> {
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
