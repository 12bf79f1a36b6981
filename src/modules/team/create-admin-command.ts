import Type from 'typebox';
import { InputReader } from '../../kernel/call/parameters.ts';
import type { CommandContext } from '../../kernel/declare/command.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import {
  createUser,
  hashPassword,
  newUserFields,
  readPasswordFile,
  requireGoodPassword,
  userExists,
} from '../users/index.ts';

export interface AdminFlags {
  email: string;
  login: string;
  role: 'administrator' | 'manager';
  name?: string;
  passwordFile?: string;
}

const fields = new InputReader({ body: Type.Object(newUserFields) });

export function createAdmin(context: CommandContext, flags: AdminFlags): Promise<void> {
  return context.withSite((site) => create(site, context, flags), { create: true });
}

async function create(site: Site, { print }: CommandContext, flags: AdminFlags): Promise<void> {
  const { login, email, role } = flags;
  fields.read({ params: {}, query: {}, body: { login, email }, bodyIsText: true });
  const given = flags.passwordFile && readPasswordFile(flags.passwordFile);
  if (given) await requireGoodPassword(site, given, { login, email });
  const password = given || randomBase62(22);
  const passwordHash = await hashPassword(password);
  const user = await site.database
    .transaction((tx) =>
      createUser(tx, site, { login, email, role, passwordHash, display_name: flags.name ?? login }),
    )
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.definition !== userExists) throw error;
      throw new ApiError(userExists, {
        message: `The login "${login}" or the email address "${email}" is already in use.`,
      });
    });
  const made = {
    id: user.id,
    login,
    email,
    display_name: user.display_name,
    role,
    ...(!given && { password }),
  };
  print(made, () =>
    [
      `${role} ${login} (user ${user.id}) created.`,
      ...(given ? [] : [`Password, shown only once: ${password}`]),
    ].join('\n'),
  );
}
