import type { Language } from '../shared/languages.ts';

/** A screen that the module of an extension adds to the console. */
export interface ModuleScreen {
  /** In its address, `/console/<name>`: lowercase letters, digits and hyphens. */
  readonly name: string;
  /** What the navigation calls it, by the reader's language; in English where there is no other. */
  readonly labels: Readonly<Partial<Record<Language, string>>> & { readonly en: string };
  /** A script for the browser: an ECMAScript module whose default export makes the screen, see `ConsoleKit`. */
  readonly script: URL;
  readonly group: 'decide' | 'program' | 'reach' | 'figures' | 'bottom';
  /** The only role that sees it; without one, the whole team does. */
  readonly role?: 'administrator';
}

/** A screen of an extension as the page of the console names it. */
export interface ShownScreen extends Omit<ModuleScreen, 'script'> {
  /** The address of its script. */
  readonly script: string;
}
