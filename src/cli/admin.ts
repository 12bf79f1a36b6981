import { Option, type Command } from 'commander';
import Type from 'typebox';
import { InputReader } from '../kernel/parameters.ts';
import { createUser, hashPassword, newUserFields } from '../modules/users/index.ts';
import { randomBase62 } from '../shared/secrets.ts';
import { print } from './output.ts';
import { readPasswordFile } from './password-file.ts';
import { withSite, type Flags } from './with-site.ts';

interface AdminFlags extends Flags {
  email: string;
  login: string;
  role: 'administrator' | 'manager';
  name?: string;
  passwordFile?: string;
}

const fields = new InputReader({ body: Type.Object(newUserFields) });

export function addAdmin(program: Command): Command[] {
  const admin = program.command('admin').description('people who run the program');
  const create = admin
    .command('create')
    .description('make an administrator or a manager')
    .requiredOption('--email <email>', 'e-mail address')
    .requiredOption('--login <login>', 'login')
    .option('--name <name>', 'the name to show; the login when not given')
    .addOption(
      new Option('--role <role>', 'managers may do all but webhooks and other admins')
        .choices(['administrator', 'manager'])
        .default('administrator'),
    )
    .option(
      '--password-file <file>',
      'a file with the password; otherwise one is made up and shown',
    )
    .addHelpText(
      'after',
      '\nExample:\n  ./tributary admin create --login ann --email ann@example.com',
    )
    .action((flags: AdminFlags) => withSite(flags, (site) => run(site, flags), { create: true }));
  return [create];
}

async function run(site: Parameters<typeof createUser>[1], flags: AdminFlags): Promise<void> {
  const { login, email, role } = flags;
  fields.read({ params: {}, query: {}, body: { login, email }, bodyIsText: true });
  const given = flags.passwordFile && readPasswordFile(flags.passwordFile);
  const password = given || randomBase62(20);
  const passwordHash = await hashPassword(password);
  const user = await site.database.transaction((tx) =>
    createUser(tx, site, { login, email, role, passwordHash, display_name: flags.name ?? login }),
  );
  const made = {
    id: user.id,
    login,
    email,
    display_name: user.display_name,
    role,
    ...(!given && { password }),
  };
  print(flags.json, made, () =>
    [
      `${role} ${login} (user ${user.id}) created.`,
      ...(given ? [] : [`Password, shown this once: ${password}`]),
    ].join('\n'),
  );
}
