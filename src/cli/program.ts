import { Command, CommanderError, Option } from 'commander';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { addons } from '../edition-pro.ts';
import { configKeys } from '../installation/config-keys.ts';
import { ConfigError } from '../installation/config.ts';
import type { Addon } from '../kernel/declare/addon.ts';
import {
  type CommandDefinition,
  type CommandGroup,
  CommandError,
  exitCodes,
} from '../kernel/declare/command.ts';
import { ApiError } from '../kernel/declare/errors.ts';
import { keyCommands } from '../modules/keys/commands.ts';
import { passwordCommands } from '../modules/passwords/commands.ts';
import { settingCommands } from '../modules/settings/commands.ts';
import { setupCommand } from '../modules/setup/commands.ts';
import { adminCommands } from '../modules/team/commands.ts';
import { isForOperator, reasonOf } from '../shared/file-errors.ts';
import { VERSION } from '../shared/version.ts';
import {
  addBackup,
  addConfig,
  addDemo,
  addGenerate,
  addMigrateDb,
  addOpenApi,
  addRestore,
  addStart,
  addVerify,
  addWorker,
} from './commands.ts';
import { addImport } from './import-commands.ts';
import { addModuleCommands } from './module-commands.ts';
import { rewardCommands } from './reward-commands.ts';

const coreCommands = [
  setupCommand,
  adminCommands,
  keyCommands,
  passwordCommands,
  settingCommands,
  rewardCommands,
];
const addonCommands = addons.flatMap((addon: Addon) => addon.commands ?? []);

/**
 * Declares every command. Their code is imported when they run, so that `--help` and usage errors do not load the
 * service.
 * @public For the reference in docs.
 */
export function commandLine(
  ofExtensions: readonly (CommandDefinition | CommandGroup)[] = [],
): Command {
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
    ...addModuleCommands(program, ofExtensions),
    addMigrateDb(program),
  ];
  for (const command of serving) addConfigFlags(command, { shown: true });
  for (const command of working) addConfigFlags(command, { shown: false });
  return program;
}

/** Runs one command and returns its exit code. */
export async function runCommandLine(args: string[]): Promise<number> {
  const extensions = await extensionCommands(args);
  const program = commandLine(extensions.commands);
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

/** @public For the reference in docs. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** @public For the reference in docs. */
export function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

/** Prints the failure and returns the exit code. */
function reportFailure(error: unknown, asJson: boolean): number {
  // Commander has printed it already.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const code = exitCodeOf(error);
  if (asJson && error instanceof ApiError) console.error(JSON.stringify(error.toBody()));
  else console.error(`tributary: ${describe(error)}`);
  return code;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ConfigError) return exitCodes.usage;
  if (!(error instanceof ApiError)) return exitCodes.failed;
  const { status } = error.definition;
  if (status === 400) return exitCodes.usage;
  return status === 404 ? exitCodes.notFound : exitCodes.refused;
}

function describe(error: unknown): string {
  if (error instanceof ApiError) {
    const params = error.data['params'];
    const details =
      params && !Array.isArray(params)
        ? Object.entries(params).map(([name, reason]) => `\n  ${name}: ${reason}`)
        : [];
    return error.message + details.join('');
  }
  if (error instanceof CommandError || error instanceof ConfigError) return error.message;
  if (error instanceof DatabaseUnavailable) return error.message;
  if (isForOperator(error)) {
    return `${error.path ?? 'A file'} cannot be used: ${reasonOf(error)}.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
