import type { CommandDefinition, CommandGroup } from './command.ts';
import type { FeedEvent } from './feed-event.ts';
import type { Log } from './log.ts';
import type { Module } from './module.ts';

/**
 * Customises a site without changes to the source. The file named by TRIBUTARY_EXTENSIONS exports one
 * extension, or an array of them, as its default export. Modules add the hooks they offer to this
 * interface (`declare module`), and list them as `ExtensionHook`.
 */
export interface Extension {
  name: string;
  /** Modules of the extension. They are active in every edition. */
  modules?: readonly Module[];
  commands?: readonly (CommandDefinition | CommandGroup)[];
  /**
   * Returns the OpenAPI document to serve. The result is cached until the settings change, so it must
   * depend on nothing but the document and the settings.
   */
  amendOpenApi?(document: Record<string, unknown>): Record<string, unknown>;
  /** Receives every event at least once and in order, after its change is committed. */
  onEvent?(event: FeedEvent): void | Promise<void>;
}

/** A property of an extension that a module reads. */
export interface ExtensionHook {
  readonly name: keyof Extension;
  /** Completes the sentence '"name" must …'. */
  readonly expected: string;
  isValid(value: unknown): boolean;
}

export const isFunction = (value: unknown): boolean => typeof value === 'function';

export const kernelHooks: readonly ExtensionHook[] = [
  { name: 'name', expected: 'be text', isValid: (value) => typeof value === 'string' },
  { name: 'modules', expected: 'be a list of modules', isValid: isListOfModules },
  { name: 'commands', expected: 'be a list of commands', isValid: isListOfCommands },
  { name: 'amendOpenApi', expected: 'be a function', isValid: isFunction },
  { name: 'onEvent', expected: 'be a function', isValid: isFunction },
];

function isListOfModules(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    // The items come from the extension's code: any part of a module may be missing.
    (value as (Partial<Module> | undefined)[]).every(
      (module) => typeof module?.name === 'string' && typeof module.summary === 'string',
    )
  );
}

function isListOfCommands(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    // As above, for commands.
    (value as (Partial<CommandDefinition> | undefined)[]).every(
      (command) => typeof command?.name === 'string' && typeof command.description === 'string',
    )
  );
}

declare module './site.ts' {
  interface Site {
    readonly extensions: Extensions;
  }
}

export class Extensions {
  readonly all: readonly Extension[];
  readonly #log: Log;

  constructor(all: readonly Extension[], log: Log) {
    this.all = all;
    this.#log = log;
  }

  get amendOpenApi(): ((document: Record<string, unknown>) => Record<string, unknown>) | undefined {
    const amending = this.all.filter((extension) => extension.amendOpenApi);
    if (amending.length === 0) return undefined;
    return (document) =>
      amending.reduce((amended, extension) => this.#amend(extension, amended), document);
  }

  modules(): Module[] {
    return this.all.flatMap(({ modules }) => modules ?? []);
  }

  listeners(): Extension[] {
    return this.all.filter((extension) => extension.onEvent);
  }

  #amend(extension: Extension, document: Record<string, unknown>): Record<string, unknown> {
    try {
      const amended: unknown = extension.amendOpenApi!(structuredClone(document));
      if (typeof amended === 'object' && amended !== null && !('then' in amended)) {
        // The hook's declared return type; the check above covers extensions written in JavaScript.
        return amended as Record<string, unknown>;
      }
      throw new Error('it returned no OpenAPI document');
    } catch (error) {
      this.#log.error({ err: error, extension: extension.name }, 'amendOpenApi failed');
      return document;
    }
  }
}
