import { readFileSync } from 'node:fs';
import type { RenderToHtml } from '../../../web/public/page-props.ts';
import type { Encoding } from '../../kernel/declare/http-response.ts';

/** What `scripts/build.js` writes about the files of the web app. */
interface Manifest {
  /** The server-side code of the public pages. */
  readonly renderer: string;
  /** By entry point: its script, its style sheet, and the chunks that the script loads at once. */
  readonly entries: Readonly<Record<string, Entry>>;
}

export interface Entry {
  readonly script?: string;
  readonly style?: string;
  readonly chunks: readonly string[];
  /** Only the portal: the chunks with its words, by language. */
  readonly words?: Readonly<Record<string, string>>;
  /** Only the portal: the chunks of all screens but the first. */
  readonly further?: readonly string[];
}

/** The build is next to the program in dist/; sources find it there too. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/web/' : './web/',
  import.meta.url,
);

let known: Manifest | undefined;

export function webManifest(): Manifest {
  // The file was written by the build of this version.
  known ??= JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as Manifest;
  return known;
}

export function entryOf(name: string): Entry {
  const entry = webManifest().entries[name];
  if (!entry) throw new Error(`The web app has no entry point "${name}".`);
  return entry;
}

/** The bytes of a file of the web app, compressed by the build; undefined if there is no such file. */
export function readWebFile(name: string, encoding?: Encoding): Uint8Array | undefined {
  const ending = { br: '.br', gzip: '.gz' } as const;
  const file = new URL(`files/${name}${encoding ? ending[encoding] : ''}`, folder);
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
