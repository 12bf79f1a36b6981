import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from './config.ts';
import type { Extension, Gateway } from '../kernel/declare/extension.ts';
import { didYouMean } from '../shared/nearest.ts';

const HOOKS = ['amendOpenApi', 'refusePayout', 'onEvent'] as const;
const KNOWN = ['name', 'gateways', ...HOOKS];

/** Loads a site's own module: its default export is an extension, or a list of them. */
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
  // A listener's place in the feed is kept by its name.
  const names = extensions.map((extension) => extension.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new ConfigError(`${file}: two extensions are named "${twice}".`);
  return extensions;
}

function refuseMalformed(file: string, extension: Extension | undefined): void {
  if (typeof extension !== 'object' || typeof extension?.name !== 'string') {
    throw new ConfigError(`${file} must export an object with a "name" as its default export.`);
  }
  for (const key of Object.keys(extension)) {
    if (!KNOWN.includes(key)) {
      throw new ConfigError(`${file}: "${key}" is no extension point.${didYouMean(key, KNOWN)}`);
    }
  }
  for (const hook of HOOKS) {
    if (extension[hook] !== undefined && typeof extension[hook] !== 'function') {
      throw new ConfigError(`${file}: "${hook}" must be a function.`);
    }
  }
  if (extension.gateways !== undefined && !isListOfGateways(extension.gateways)) {
    throw new ConfigError(
      `${file}: "gateways" must be a list of objects with method_type, label, pay and ask.`,
    );
  }
}

function isListOfGateways(gateways: unknown): boolean {
  return (
    Array.isArray(gateways) &&
    (gateways as Partial<Gateway>[]).every(
      (gateway) =>
        typeof gateway?.method_type === 'string' &&
        typeof gateway.label === 'string' &&
        typeof gateway.pay === 'function' &&
        typeof gateway.ask === 'function',
    )
  );
}
