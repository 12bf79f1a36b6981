import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Module } from '../../kernel/declare/module.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { ModuleScreen, ShownScreen } from '../../web-contract/extension-screens.ts';
import { entryOf } from './web-build.ts';

interface Script {
  /** It contains a hash of the content, so a browser never asks for the same file twice. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

const scripts = new WeakMap<ModuleScreen, Script>();

const screensIn = (modules: readonly Module[]) => modules.flatMap(({ screens = [] }) => screens);

/** Reads the scripts of all screens. Throws what is wrong with one, so that the service does not start. */
export async function openScreens({ registry }: Site): Promise<void> {
  for (const screen of screensIn(registry.modules)) {
    const { name, script } = screen;
    if (!/^[a-z][a-z0-9-]*$/.test(name) || Object.hasOwn(entryOf('console').screens!, name)) {
      throw new Error(`The console cannot have another screen with the name "${name}".`);
    }
    const bytes = readFileSync(script);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    scripts.set(screen, { file: `${name}-${hash}.js`, bytes });
  }
}

const activeScreens = ({ registry }: Site) => screensIn(registry.activeModules());

/** Whether an active extension has a screen with this name. */
export const hasScreen = (site: Site, name: string): boolean =>
  activeScreens(site).some((screen) => screen.name === name);

/** The screens of active extensions. */
export const shownScreens = (site: Site): ShownScreen[] =>
  activeScreens(site).map((screen) => ({
    ...screen,
    script: `/app/screens/${scripts.get(screen)!.file}`,
  }));

/** The script with this name, of an active extension. */
export const scriptOfScreen = (site: Site, file: string): Uint8Array | undefined =>
  activeScreens(site)
    .map((screen) => scripts.get(screen)!)
    .find((script) => script.file === file)?.bytes;
