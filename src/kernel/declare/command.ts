import type { Site } from './site.ts';

/** Exit codes of the command line, for scripts. */
export const exitCodes = { done: 0, failed: 1, usage: 2, notFound: 3, refused: 4 } as const;

/** A command that cannot be carried out; the message says what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number;

  constructor(kind: Exclude<keyof typeof exitCodes, 'done'>, message: string) {
    super(message);
    this.exitCode = exitCodes[kind];
  }
}

/** What a command of a module works with. */
export interface CommandContext {
  /**
   * Opens the installation, beside a server that may be running, and closes it afterwards. With `create`
   * an installation that does not exist yet is created.
   */
  withSite<T>(work: (site: Site) => Promise<T>, options?: { create?: boolean }): Promise<T>;
  /** Prints the value as JSON with `--json`, otherwise the text. */
  print(value: unknown, text: () => string): void;
}

export interface CommandOption {
  /** As in the help: `--user <login>`, or `--dry-run` for one without a value. */
  readonly flags: string;
  readonly help: string;
  readonly isRequired?: boolean;
  readonly default?: string;
  readonly choices?: readonly string[];
}

/**
 * A command that a module brings. The declaration is read for every `--help`, so `run` imports the
 * code of the module when it is called.
 */
export interface CommandDefinition<
  Flags extends object = object,
  Args extends (string | undefined)[] = (string | undefined)[],
> {
  readonly name: string;
  readonly description: string;
  /** `<name>` is required, `[name]` is not. */
  readonly arguments?: readonly { readonly name: string; readonly help: string }[];
  readonly options?: readonly CommandOption[];
  /** Shown after the options: examples. */
  readonly notes?: string;
  run(context: CommandContext, flags: Flags, ...args: Args): Promise<void>;
}

/** Commands under one word: `keys create`, `keys list`. */
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
