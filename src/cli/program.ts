import { Command, CommanderError, Option } from 'commander';
import { configKeys } from '../installation/config-keys.ts';
import { addBackup } from './commands/backup.ts';
import { addConfig } from './commands/config.ts';
import { addDemo } from './commands/demo.ts';
import { reportFailure } from './failure.ts';
import { addGenerate } from './commands/generate.ts';
import { addImport } from './commands/import.ts';
import { addMigrateDb } from './commands/migrate-db.ts';
import { addOpenApi } from './commands/openapi.ts';
import { addRestore } from './commands/restore.ts';
import { addStart } from './commands/start.ts';
import { addVerify } from './commands/verify.ts';
import { addWorker } from './commands/worker.ts';
import { addons } from '../edition-pro.ts';
import type { Addon } from '../kernel/declare/addon.ts';
import type { CommandDefinition, CommandGroup } from '../kernel/declare/command.ts';
import { settingCommands } from '../modules/settings/commands.ts';
import { setupCommand } from '../modules/sessions/commands.ts';
import { adminCommands } from '../modules/team/commands.ts';
import { keyCommands } from '../modules/keys/commands.ts';
import { passwordCommands } from '../modules/passwords/commands.ts';
import { addModuleCommands } from './module-commands.ts';
import { VERSION } from '../shared/version.ts';

const coreCommands = [setupCommand, adminCommands, keyCommands, passwordCommands, settingCommands];
const addonCommands = addons.flatMap((addon: Addon) => addon.commands ?? []);

/**
 * Runs one command and returns its exit code. Commands are declared here and their code is imported when
 * they run, so that `--help` and usage errors do not load the service.
 */
export async function runCommandLine(args: string[]): Promise<number> {
  const extensions = await extensionCommands(args);
  const program = new Command('./tributary')
    .description('A self-hosted affiliate program for online stores.')
    .version(VERSION)
    .addHelpText(
      'after',
      '\nExamples:\n  ./tributary start\n  ./tributary demo' +
        '\n  ./tributary keys create --user admin --scopes read,write' +
        '\n\nHelp for a command: ./tributary help start',
    );
  const serving = [addStart(program), addWorker(program), addDemo(program), addConfig(program)];
  const working = [
    ...addModuleCommands(program, coreCommands),
    addOpenApi(program),
    addBackup(program),
    addRestore(program),
    addVerify(program),
    ...addImport(program),
    addGenerate(program),
    ...addModuleCommands(program, addonCommands),
    ...addModuleCommands(program, extensions.commands),
    addMigrateDb(program),
  ];
  for (const command of serving) addConfigFlags(command, { shown: true });
  for (const command of working) addConfigFlags(command, { shown: false });
  for (const command of commandsOf(program)) {
    command.exitOverride().showHelpAfterError(`See: ${pathOf(command)} --help`);
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    const failure = isHelp ? error : (extensions.failure ?? error);
    return reportFailure(failure, args.includes('--json'));
  }
}

/**
 * The commands of the site's extension. A failure to load it is reported only when the command fails:
 * help and `config` work without it.
 */
async function extensionCommands(
  args: readonly string[],
): Promise<{ commands: readonly (CommandDefinition | CommandGroup)[]; failure?: unknown }> {
  const { flag, env } = configKeys.extensions;
  const at = args.findIndex((arg) => arg === `--${flag}` || arg.startsWith(`--${flag}=`));
  const given = args[at]?.includes('=') ? args[at].slice(flag.length + 3) : args[at + 1];
  const file = at === -1 ? process.env[env] : given;
  if (!file) return { commands: [] };
  try {
    const { loadExtensions } = await import('../installation/load-extensions.ts');
    const extensions = await loadExtensions(file);
    return { commands: extensions.flatMap(({ commands }) => commands ?? []) };
  } catch (failure) {
    return { commands: [], failure };
  }
}

/** Every command accepts every configuration flag; only the serving commands list them all. */
function addConfigFlags(command: Command, options: { shown: boolean }): void {
  const keys = Object.values(configKeys).filter((key) => !key.secret);
  for (const { flag, placeholder, help, env } of keys) {
    const option = new Option(`--${flag} <${placeholder}>`, `${help} (${env})`);
    if (!options.shown && flag !== 'data') option.hideHelp();
    command.addOption(option);
  }
  command.option('--json', 'print JSON');
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}
