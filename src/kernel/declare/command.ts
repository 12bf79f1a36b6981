import type { Site } from './site.ts';

/** Scripts depend on these exit codes. */
export const exitCodes = { done: 0, failed: 1, usage: 2, notFound: 3, refused: 4 } as const;

/** Thrown when a command cannot run; the message tells the user what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number;

  constructor(kind: Exclude<keyof typeof exitCodes, 'done'>, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}

/** The functions that a command of a module may use. */
export interface CommandContext {
  /**
   * Opens the installation, also while a server is running on it, and closes it afterwards. `create`
   * creates the installation if it does not exist.
   */
  withSite<T>(work: (site: Site) => Promise<T>, options?: { create?: boolean }): Promise<T>;
  /** Prints the value as JSON with `--json`, otherwise the text. */
  print(value: unknown, text: () => string): void;
}

export interface CommandOption {
  /** In the notation of the help text: `--user <login>`, or `--dry-run` for an option without a value. */
  readonly flags: string;
  readonly help: string;
  readonly isRequired?: boolean;
  readonly default?: string;
  readonly choices?: readonly string[];
}

/**
 * A command that a module provides. Every `--help` loads the declaration, so `run` imports the code of
 * the module only when it is called.
 */
export interface CommandDefinition<
  Flags extends object = object,
  Args extends (string | undefined)[] = (string | undefined)[],
> {
  readonly name: string;
  readonly description: string;
  /** `<name>` is required, `[name]` is optional. */
  readonly arguments?: readonly { readonly name: string; readonly help: string }[];
  readonly options?: readonly CommandOption[];
  /** Text that the help shows after the options, such as examples. */
  readonly notes?: string;
  run(context: CommandContext, flags: Flags, ...args: Args): Promise<void>;
}

/** Commands that share a first word: `keys create`, `keys list`. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly CommandDefinition[];
}

export function defineCommand<
  Flags extends object = object,
  Args extends (string | undefined)[] = [],
>(command: CommandDefinition<Flags, Args>): CommandDefinition<Flags, Args> {
  return command;
}
