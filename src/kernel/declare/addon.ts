import type { CommandDefinition, CommandGroup } from './command.ts';
import type { ConfigSection } from './config.ts';
import type { DemoPart } from './demo.ts';
import type { ExtensionHook } from './extension.ts';
import type { Module } from './module.ts';

/**
 * The part of an add-on that the command line and the configuration need before the module is loaded.
 * `load` imports the module lazily, so that `--help` and the free edition never load it.
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
