import type { ModuleScreen } from '../kernel/declare/console-screen.ts';

/** A screen of an extension as the page of the console names it. */
export interface ShownScreen extends Omit<ModuleScreen, 'script'> {
  /** The address of its script. */
  readonly script: string;
}
