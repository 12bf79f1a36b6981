// Builds the web app into dist/web: scripts and style sheets with a hash in their names, compressed once, the
// server-side renderer of the public pages, the guides, and a manifest that names them.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { addonsPlugin, screenOf } from './addon-files.js';
import { buildHelp } from './build-help.js';
import { shareFrame, shareParts } from './shared-chunks.js';
import { textsPlugin } from './texts-plugin.js';

/** Scripts that a browser loads, by entry point. A public page may have one: web/public/<name>.script.ts. */
export function browserEntriesOf(root) {
  const scripts = readdirSync(join(root, 'web/public'))
    .filter((name) => name.endsWith('.script.ts'))
    .map((name) => [basename(name, '.script.ts'), `web/public/${name}`]);
  return {
    portal: 'web/portal/main.tsx',
    console: 'web/console/main.tsx',
    ...Object.fromEntries(scripts),
  };
}

const hashed = {
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
};

const shared = {
  bundle: true,
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  metafile: true,
  write: false,
  legalComments: 'none',
  logLevel: 'silent',
};

/** Options for what a browser loads. */
export function inBrowser(root) {
  return {
    ...shared,
    plugins: [textsPlugin(root), addonsPlugin(root)],
    absWorkingDir: root,
    outdir: join(root, 'dist/web/files'),
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17.2'],
  };
}

/** Options for the renderer of the public pages. */
export function onServer(root) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    ...shared,
    external: Object.keys(dependencies),
    plugins: [textsPlugin(root)],
    entryPoints: { public: 'web/public/render.tsx' },
    absWorkingDir: root,
    outdir: join(root, 'dist/web'),
    platform: 'node',
    target: 'node24',
  };
}

/**
 * Returns the names of the source files. Removes files of earlier builds that are older than this: open pages may
 * still load their chunks.
 */
export async function buildWeb({ root, dist, olderThanMs }) {
  const { build } = await import('esbuild');
  const folder = join(dist, 'web');
  const files = join(folder, 'files');
  const browserEntries = browserEntriesOf(root);
  const forBrowser = { ...inBrowser(root), ...hashed, outdir: files };
  const { console, ...others } = browserEntries;
  const [first, second, whole, server, tracker, help] = await Promise.all([
    // Apart, so that what the console shares with itself does not cut the portal into small chunks.
    build({
      ...forBrowser,
      entryPoints: others,
      splitting: true,
      plugins: [...forBrowser.plugins, shareFrame(root)],
    }),
    build({
      ...forBrowser,
      entryPoints: { console },
      splitting: true,
      plugins: [...forBrowser.plugins, shareParts(root)],
    }),
    // A browser does not load the style sheets of chunks, so portal and console get one of everything each.
    build({
      ...forBrowser,
      entryPoints: { portal: others.portal, console },
    }),
    build({ ...onServer(root), ...hashed, outdir: folder }),
    // A plain script for stores. The server adds the call of the function, with the settings.
    build({
      ...forBrowser,
      entryPoints: { tracker: 'web/tracker/tracker.ts' },
      format: 'iife',
      target: 'es2020',
      banner: { js: '(function(settings){' },
      footer: { js: '})' },
    }),
    buildHelp(root),
  ]);
  mkdirSync(files, { recursive: true });
  const renderer = server.outputFiles.find(({ path }) => path.endsWith('.js'));
  const publicStyle = server.outputFiles.find(({ path }) => path.endsWith('.css'));
  const styles = whole.outputFiles.filter(({ path }) => path.endsWith('.css'));
  const written = [
    ...[...first.outputFiles, ...second.outputFiles].filter(({ path }) => !path.endsWith('.css')),
    ...tracker.outputFiles,
    ...styles,
    { path: join(files, basename(publicStyle.path)), contents: publicStyle.contents },
  ];
  for (const { path, contents } of written) writeCompressed(path, contents);
  for (const { name, contents } of help.pictures) replaceFile(join(files, name), contents);
  replaceFile(join(folder, 'help.json'), JSON.stringify(help.pages));
  replaceFile(renderer.path, renderer.contents);
  // The pages that the build does not render, such as error pages, have the same colours.
  replaceFile(join(folder, 'tokens.css'), readFileSync(join(root, 'web/ui/tokens.css')));
  const styleNames = styles.map(({ path }) => basename(path));
  const manifest = {
    renderer: basename(renderer.path),
    entries: {
      public: { style: basename(publicStyle.path), chunks: [] },
      tracker: { script: basename(tracker.outputFiles[0].path), chunks: [] },
      ...entriesOf(browserEntries, first.metafile.outputs, styleNames),
      ...entriesOf(browserEntries, second.metafile.outputs, styleNames),
    },
  };
  replaceFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
  const current = new Set([
    ...[renderer, ...written].map(({ path }) => basename(path)),
    ...help.pictures.map(({ name }) => name),
  ]);
  removeOld(files, current, olderThanMs);
  removeOld(folder, current, olderThanMs);
  const builds = [first, second, whole, server, tracker];
  return builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** Per entry point: its script, its style sheet, the chunks it imports immediately, and the words by language. */
function entriesOf(browserEntries, outputs, styles) {
  const entries = {};
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const name = Object.keys(browserEntries).find((key) => browserEntries[key] === entryPoint);
    if (!name) continue;
    const { '': words, ...screenWords } = wordChunks(name, outputs);
    entries[name] = {
      script: basename(path),
      style: styles.find((style) => style.startsWith(`${name}-`)),
      chunks: [...staticImports(path, outputs)].map((chunk) => basename(chunk)),
      ...(words && { words, screenWords, screens: screenChunks(name, outputs) }),
      ...(name === 'portal' && { further: furtherChunks(outputs) }),
    };
  }
  return entries;
}

/** What the portal loads for screens without a chunk of their own, except the first. */
function furtherChunks(outputs) {
  const path = Object.keys(outputs).find(
    (one) => outputs[one].entryPoint === 'web/portal/further-screens.ts',
  );
  return [path, ...staticImports(path, outputs)].map((chunk) => basename(chunk));
}

/** What an app loads for a screen that has a chunk of its own, and for one object of it. */
function screenChunks(app, outputs) {
  const screens = {};
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const screen = screenOf(entryPoint ?? '');
    if (screen?.app !== app) continue;
    screens[screen.name] = [path, ...staticImports(path, outputs)].map((chunk) => basename(chunk));
  }
  return screens;
}

/** The chunks with words, by screen and language. Those that every screen needs have the screen ''. Parts of screens have theirs. */
function wordChunks(app, outputs) {
  const words = {};
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    const [, area, screen = '', language] =
      /^texts:(\w+)(?:-(?:screens\/)?([\w-]+(?:\/detail)?))?\/(\w+)$/.exec(entryPoint ?? '') ?? [];
    const isOfPart = app === 'console' && screen && !entryPoint.includes('-screens/');
    if (area === app && !isOfPart) (words[screen] ??= {})[language] = basename(path);
  }
  return words;
}

function staticImports(path, outputs, found = new Set()) {
  for (const { path: chunk, kind } of outputs[path].imports) {
    if (kind !== 'import-statement' || found.has(chunk)) continue;
    found.add(chunk);
    staticImports(chunk, outputs, found);
  }
  return found;
}

function writeCompressed(path, contents) {
  replaceFile(path, contents);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  replaceFile(`${path}.br`, brotliCompressSync(contents, quality));
  replaceFile(`${path}.gz`, gzipSync(contents, { level: 9 }));
}

function removeOld(folder, current, olderThanMs) {
  for (const name of readdirSync(folder)) {
    const isBuilt = /-[A-Z0-9]{8}\.(js|css|svg|webp)(\.br|\.gz)?$/.test(name);
    if (!isBuilt || current.has(name.replace(/\.(br|gz)$/, ''))) continue;
    const path = join(folder, name);
    if (statSync(path).mtimeMs < Date.now() - olderThanMs) rmSync(path);
  }
}

function replaceFile(path, contents) {
  const written = `${path}.${process.pid}`;
  writeFileSync(written, contents);
  renameSync(written, path);
}
