import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from './config.ts';
import { addons } from '../edition-pro.ts';
import type { Addon } from '../kernel/declare/addon.ts';
import { kernelHooks, type Extension, type ExtensionHook } from '../kernel/declare/extension.ts';
import { didYouMean } from '../shared/nearest.ts';

const hooks: readonly ExtensionHook[] = [
  ...kernelHooks,
  ...addons.flatMap((addon: Addon) => addon.extensionHooks ?? []),
];

/** Loads the file of TRIBUTARY_EXTENSIONS. Its default export is an extension, or an array of them. */
export async function loadExtensions(file: string): Promise<Extension[]> {
  if (file === '') return [];
  let loaded: { default?: unknown };
  try {
    loaded = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown };
  } catch (error) {
    throw new ConfigError(`The extension ${file} cannot be loaded: ${(error as Error).message}`);
  }
  const extensions = [loaded.default].flat() as Extension[];
  for (const extension of extensions) refuseMalformed(file, extension);
  // A listener's position in the feed is stored under its name.
  const names = extensions.map((extension) => extension.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new ConfigError(`${file}: two extensions are named "${twice}".`);
  return extensions;
}

function refuseMalformed(file: string, extension: Extension | undefined): void {
  if (typeof extension !== 'object' || typeof extension?.name !== 'string') {
    throw new ConfigError(`${file} must export an object with a "name" as its default export.`);
  }
  const known = hooks.map(({ name }) => name);
  for (const [key, value] of Object.entries(extension)) {
    const hook = hooks.find(({ name }) => name === key);
    if (!hook) {
      throw new ConfigError(`${file}: "${key}" is no extension point.${didYouMean(key, known)}`);
    }
    if (value !== undefined && !hook.isValid(value)) {
      throw new ConfigError(`${file}: "${key}" must ${hook.expected}.`);
    }
  }
}
