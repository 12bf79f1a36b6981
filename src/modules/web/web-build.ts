import { readFileSync } from 'node:fs';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import type { Encoding } from '../../kernel/declare/http-response.ts';
import type { RenderToHtml } from '../../web-contract/page-props.ts';

/** What `scripts/build.js` writes about the files of the web app. */
interface Manifest {
  /** The server-side code of the public pages. */
  readonly renderer: string;
  /** By entry point: its script, its style sheet, and the chunks that the script loads immediately. */
  readonly entries: Readonly<Record<string, Entry>>;
}

export interface Entry {
  readonly script?: string;
  readonly style?: string;
  readonly chunks: readonly string[];
  /** Portal and console: the chunks with their words, by language. */
  readonly words?: Readonly<Record<string, string>>;
  /** Portal and console: the chunks of each screen that has its own, by `orders` and `orders/detail`. */
  readonly screens?: Readonly<Record<string, readonly string[]>>;
  /** Only the portal: the chunks of all other screens but the first. */
  readonly further?: readonly string[];
  /** The chunks with the words of single screens, by screen and language. */
  readonly screenWords?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The build is next to the program in dist/; sources find it there too. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/web/' : './web/',
  import.meta.url,
);

let known: Manifest | undefined;

/** The text is for the log; a reader gets the page of status 503. */
const notBuilt = defineError(
  'svc_api_web_not_built',
  503,
  'The web app is not built: run npm run build.',
);

function webManifest(): Manifest {
  known ??= readManifest(folder);
  return known;
}

/** @internal Exported for its test. */
export function readManifest(from: URL): Manifest {
  // The file was written by the build of this version.
  return JSON.parse(readBuilt('manifest.json', from).toString()) as Manifest;
}

/** A file that the build wrote for the server. */
export function readBuilt(name: string, from = folder): Buffer {
  const bytes = readIfThere(new URL(name, from));
  if (!bytes) throw new ApiError(notBuilt);
  return bytes;
}

export function entryOf(name: string): Entry {
  const entry = webManifest().entries[name];
  if (!entry) throw new Error(`The web app has no entry point "${name}".`);
  return entry;
}

/** The bytes of a file of the web app, compressed by the build; undefined if there is no such file. */
export function readWebFile(name: string, encoding?: Encoding): Uint8Array | undefined {
  const ending = { br: '.br', gzip: '.gz' } as const;
  return readIfThere(new URL(`files/${name}${encoding ? ending[encoding] : ''}`, folder));
}

/** The text of the script of an entry point. */
export function scriptOf(name: string): string {
  return Buffer.from(readWebFile(entryOf(name).script!)!).toString();
}

function readIfThere(file: URL): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    // `readFileSync` throws errors of the system.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

let renderer: Promise<{ renderToHtml: RenderToHtml }> | undefined;

/** The pages are TSX, which Node does not run, so they come from the build even if the program does not. */
export async function loadRenderer(): Promise<RenderToHtml> {
  // The build compiled the module that the type names.
  renderer ??= import(new URL(webManifest().renderer, folder).href) as NonNullable<typeof renderer>;
  return (await renderer).renderToHtml;
}
