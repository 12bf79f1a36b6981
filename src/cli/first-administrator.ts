import Type from 'typebox';
import type { Config } from '../config.ts';
import { InputReader } from '../kernel/parameters.ts';
import type { Site } from '../kernel/site.ts';
import {
  createUser,
  hasAdministrator,
  hashPassword,
  newUserFields,
} from '../modules/users/index.ts';
import { readPasswordFile } from './password-file.ts';

const fields = new InputReader({ body: Type.Object(newUserFields) });

/** The first administrator, unattended, from the configuration. */
export async function createFirstAdministrator(site: Site, config: Config): Promise<void> {
  if (config.adminEmail === '') return;
  if (await hasAdministrator(site.database.read)) {
    site.log.info({}, 'TRIBUTARY_ADMIN_EMAIL is ignored: there is an administrator already');
    return;
  }
  const user = { login: config.adminLogin, email: config.adminEmail };
  fields.read({ params: {}, query: {}, body: user, bodyIsText: true });
  const passwordHash = await hashPassword(readPasswordFile(config.adminPasswordFile));
  await site.database.transaction((tx) =>
    createUser(tx, site, { ...user, role: 'administrator', passwordHash }),
  );
  site.log.info({ login: user.login }, 'the first administrator was created');
}
