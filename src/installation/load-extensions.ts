import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addons } from '../edition-pro.ts';
import type { Addon } from '../kernel/declare/addon.ts';
import { kernelHooks, type Extension, type ExtensionHook } from '../kernel/declare/extension.ts';
import { didYouMean } from '../shared/nearest.ts';
import { ConfigError } from './config.ts';

const hooks: readonly ExtensionHook[] = [
  ...kernelHooks,
  ...addons.flatMap((addon: Addon) => addon.extensionHooks ?? []),
];

/** Loads the file of TRIBUTARY_EXTENSIONS. Its default export is an extension, or an array of them. */
export async function loadExtensions(file: string): Promise<Extension[]> {
  if (file === '') return [];
  provideEntry();
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

let isEntryProvided = false;

/**
 * Resolves the package's entry to the running program, from wherever the extension lies. A second copy
 * would have other classes: an `ApiError` of it would be answered as an unexpected failure.
 */
function provideEntry(): void {
  if (isEntryProvided) return;
  isEntryProvided = true;
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(isSource ? '../extension.ts' : './extension.js', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'tributary-affiliates/extension'
        ? { url: entry, shortCircuit: true }
        : next(specifier, context),
  });
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
  // Names are unique among all modules, including those of later releases.
  for (const { name, migrations = [] } of extension.modules ?? []) {
    const other = migrations.find((migration) => !migration.name.startsWith(`${name}/`));
    if (other) {
      throw new ConfigError(`${file}: the migration "${other.name}" must begin with "${name}/".`);
    }
  }
}
