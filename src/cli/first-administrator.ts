import Type from 'typebox';
import type { Config } from '../installation/config.ts';
import { InputReader } from '../kernel/call/parameters.ts';
import type { Site } from '../kernel/declare/site.ts';
import {
  createUser,
  hasAdministrator,
  hashPassword,
  newUserFields,
  readPasswordFile,
  requireGoodPassword,
} from '../modules/users/index.ts';

const fields = new InputReader({ body: Type.Object(newUserFields) });

/** Creates the first administrator from the configuration. */
export async function createFirstAdministrator(site: Site, config: Config): Promise<void> {
  if (config.adminEmail === '') return;
  if (await hasAdministrator(site.database.read)) return ignore(site);
  const user = { login: config.adminLogin, email: config.adminEmail };
  fields.read({ params: {}, query: {}, body: user, bodyIsText: true });
  const password = readPasswordFile(config.adminPasswordFile);
  await requireGoodPassword(site, password, user);
  const passwordHash = await hashPassword(password);
  const isFirst = await site.database.transaction(async (tx) => {
    // Another instance may start at the same moment, with the same configuration.
    await tx.lock('setup');
    if (await hasAdministrator(tx)) return false;
    await createUser(tx, site, { ...user, role: 'administrator', passwordHash });
    return true;
  });
  if (!isFirst) return ignore(site);
  site.log.info({ login: user.login }, 'the first administrator was created');
}

function ignore(site: Site): void {
  site.log.info({}, 'TRIBUTARY_ADMIN_EMAIL is ignored: there is an administrator already');
}
