import { copyFileSync, existsSync, chmodSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandError } from './failure.ts';
import { print } from './output.ts';
import { withSite, type Flags } from './with-site.ts';

export async function backup(file: string, flags: Flags): Promise<void> {
  await withSite(flags, async (site, { folder, config }) => {
    if (config.databaseUrl !== '') {
      throw new CommandError(
        'refused',
        'The database is on a server: copy it with pg_dump, and keep secret.key of the data ' +
          'folder with it.',
      );
    }
    const target = resolve(file);
    if (!existsSync(dirname(target))) {
      throw new CommandError('notFound', `There is no folder ${dirname(target)}. Make it first.`);
    }
    const secret = `${target}.secret`;
    for (const path of [target, secret]) {
      if (existsSync(path)) {
        throw new CommandError('refused', `${path} exists. Choose a name that does not.`);
      }
    }
    await site.database.backup(target);
    copyFileSync(folder.secretFile, secret);
    chmodSync(secret, 0o600);
    print(flags.json, { database: target, secret }, () =>
      [
        `Database  ${target}`,
        `Secret    ${secret}`,
        'Keep both: without the secret no key or password of the database is valid.',
      ].join('\n'),
    );
  });
}
