import type { Command } from 'commander';
import { invoke } from '../kernel/invoke.ts';
import { createKey, listKeys, revokeKey } from '../modules/keys/index.ts';
import { curlFor } from './curl.ts';
import { print, table } from './output.ts';
import { requireUser, withSite, type Flags } from './with-site.ts';

interface KeyRecord {
  id: number;
  user_id: number;
  description: string;
  key_prefix: string;
  scopes: string[];
  status: string;
  last_used: string | null;
  date_expires: string | null;
}

interface CreateFlags extends Flags {
  user: string;
  scopes: string;
  expires?: string;
  description?: string;
}

interface ListFlags extends Flags {
  user?: string;
  status?: string;
  page?: string;
}

export function addKeys(program: Command): Command[] {
  const keys = program.command('keys').description('API keys');
  return [
    keys
      .command('create')
      .description('make an API key and show it this once')
      .requiredOption('--user <login>', 'login or e-mail address of its owner')
      .option('--scopes <list>', 'read, write, manage, with commas between', 'read')
      .option('--expires <day>', 'the last day it is valid, YYYY-MM-DD')
      .option('--description <text>', 'a label for people')
      .addHelpText(
        'after',
        '\nExample:\n  ./tributary keys create --user admin --scopes read,write,manage --expires 2027-12-31',
      )
      .action(create),
    keys
      .command('list')
      .description('list the API keys, newest first')
      .option('--user <login>', 'of this user only')
      .option('--status <status>', 'active, revoked or expired')
      .option('--page <number>', 'which hundred', '1')
      .addHelpText('after', '\nExample:\n  ./tributary keys list --status active')
      .action(list),
    keys
      .command('revoke')
      .description('make a key invalid, at once and for good')
      .argument('<id>', 'the number of the key')
      .addHelpText('after', '\nExample:\n  ./tributary keys revoke 3')
      .action(revoke),
  ];
}

async function create(flags: CreateFlags): Promise<void> {
  await withSite(flags, async (site, { config, folder }) => {
    const owner = await requireUser(site, flags.user);
    const key = await invoke<KeyRecord & { token: string; notice: string }>(site, createKey, {
      user_id: owner.id,
      scopes: flags.scopes,
      expires: flags.expires,
      description: flags.description,
    });
    print(flags.json, key, () =>
      [
        `Key ${key.id} for ${owner.login} (${key.scopes.join(', ')}): ${key.token}`,
        key.notice,
        '',
        `${curlFor(config, folder)} -H 'Authorization: Bearer ${key.token}' ${site.publicUrl}/svc/v2/me`,
      ].join('\n'),
    );
  });
}

async function list(flags: ListFlags): Promise<void> {
  await withSite(flags, async (site) => {
    const user = flags.user === undefined ? undefined : await requireUser(site, flags.user);
    const keys = await invoke<KeyRecord[]>(site, listKeys, {
      user_id: user?.id,
      status: flags.status,
      page: flags.page,
      per_page: 100,
    });
    print(flags.json, keys, () =>
      keys.length === 0
        ? 'No keys. Make one: ./tributary keys create --user LOGIN'
        : table(
            ['id', 'key', 'user', 'scopes', 'status', 'last used', 'expires', 'description'],
            keys.map((key) => [
              String(key.id),
              `${key.key_prefix}…`,
              String(key.user_id),
              key.scopes.join(','),
              key.status,
              key.last_used ?? 'never',
              key.date_expires ?? 'never',
              key.description,
            ]),
          ),
    );
  });
}

async function revoke(id: string, flags: Flags): Promise<void> {
  await withSite(flags, async (site) => {
    const answer = await invoke(site, revokeKey, { id });
    print(flags.json, answer, () => `Key ${id} is revoked.`);
  });
}
