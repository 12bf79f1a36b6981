import type { CommandDefinition, CommandGroup } from './command.ts';
import type { ConfigSection } from './config.ts';
import type { DemoPart } from './demo.ts';
import type { ExtensionHook } from './extension.ts';
import type { Module } from './module.ts';

/**
 * What the command line and the configuration know of an add-on before it is loaded. The file that
 * declares it loads the module lazily, so that `--help` and the free edition do not.
 */
export interface Addon {
  readonly name: string;
  readonly config?: ConfigSection;
  readonly commands?: readonly (CommandDefinition | CommandGroup)[];
  /** Properties of an extension that the add-on reads. */
  readonly extensionHooks?: readonly ExtensionHook[];
  load(): Promise<Module>;
  /** Starts the servers that the demo of this add-on needs. */
  openDemo?(): Promise<DemoPart>;
}
