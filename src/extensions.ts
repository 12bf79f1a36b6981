import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from './config.ts';
import type { Extension } from './kernel/extension.ts';
import { didYouMean } from './shared/nearest.ts';

const KNOWN = ['name', 'amendOpenApi', 'refusePayout', 'gateways', 'onEvent'];

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
}
