// npm run dev                    the service from its sources with sample data, on http://localhost:8080
// npm run dev -- --data FOLDER   the same with your own data; --port PORT for another port
//
// A proxy in front of the service serves the scripts and style sheets of web/ from memory, not minified and never
// cached, and reloads open pages when they change. A change of src/ or of a public page restarts the service.
// All components are on /dev/components.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, watch } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { basename, extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { context } from 'esbuild';
import { browserEntriesOf, buildWeb, inBrowser, onServer } from './build-web.js';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const { port, data } = parseArgs({
  options: { port: { type: 'string', default: '8080' }, data: { type: 'string' } },
}).values;
/** An editor writes a file in several steps. */
const SETTLE_MS = 20;

/** Lucide has 1,700 modules, and every rebuild would look at all of them. What icons.tsx takes is built once. */
const icons = {
  name: 'icons',
  setup(bundling) {
    const built = new Map();
    bundling.onLoad({ filter: /[\\/]ui[\\/]icons\.tsx$/ }, async ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!built.has(text)) {
        const options = { ...inBrowser(root), entryPoints: [path], external: ['preact'] };
        built.set(text, (await bundling.esbuild.build(options)).outputFiles[0].text);
      }
      return { contents: built.get(text), loader: 'js', resolveDir: root };
    });
  },
};

const readable = { minify: false, sourcemap: 'linked', entryNames: '[name]', logLevel: 'error' };
const browserOptions = inBrowser(root);
const forBrowser = {
  ...browserOptions,
  ...readable,
  plugins: [...browserOptions.plugins, icons],
};
const entries = { ...browserEntriesOf(root), components: 'web/dev/components.tsx' };
const bundles = await Promise.all(
  [
    { ...onServer(root), ...readable },
    ...Object.keys(entries).map((name) => ({
      ...forBrowser,
      entryPoints: { [name]: entries[name] },
    })),
  ].map(async (options) => ({ context: await context(options), inputs: new Set() })),
);

/** By name, such as `portal.js`. */
const files = new Map();
let rendererHash;

/** What the service runs, except the renderer of the public pages. Screens and texts of add-ons are no part of it. */
function isProgram(file) {
  return /^(?:src|addons\/[^/]+(?!\/(?:console|portal|texts)\/))\//.test(file);
}

/** Builds what contains one of these files. A file of web/ that is in no bundle may be new. */
async function build(changed) {
  const isKnown = changed.every(
    (file) => isProgram(file) || bundles.some(({ inputs }) => inputs.has(file)),
  );
  const old = bundles.filter(
    ({ inputs }) => !isKnown || inputs.size === 0 || changed.some((file) => inputs.has(file)),
  );
  for (const bundle of old) {
    const { outputFiles, metafile } = await bundle.context.rebuild();
    bundle.inputs = new Set(Object.keys(metafile.inputs));
    for (const { path, contents, hash } of outputFiles) {
      files.set(basename(path), contents);
      if (basename(path) === 'public.js') rendererHash = hash;
    }
  }
}

const servicePort = await freePort();
let service;

async function startService() {
  if (service) {
    service.kill('SIGTERM');
    if (service.exitCode === null) await once(service, 'exit');
  }
  // The sample data is made once; a restart keeps what was done with it.
  const isDemo = data === undefined && !service;
  const command = isDemo ? ['demo'] : ['start', '--data', data ?? join(root, 'demo-data')];
  const listen = ['--tls', 'off', '--host', '127.0.0.1', '--port', String(servicePort)];
  const flags = [...listen, '--public-url', `http://localhost:${port}`];
  service = spawn(process.execPath, [join(root, 'src/main.ts'), ...command, ...flags], {
    cwd: root,
    stdio: 'inherit',
  });
  while (service.exitCode === null && !(await isReady())) await wait(50);
}

async function isReady() {
  const response = await fetch(`http://127.0.0.1:${servicePort}/readyz`).catch(() => undefined);
  return response?.ok ?? false;
}

async function freePort() {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port: free } = socket.address();
  socket.close();
  await once(socket, 'close');
  return free;
}

/** Open pages, which wait for changes. */
const pages = new Set();
const RELOAD = `new EventSource('/dev/changes').onmessage = () => location.reload();`;
const SCHEMES = ['light', 'dark'];
const FRAMES = `<!doctype html><html lang="en"><title>Components</title><body style="display:flex;gap:1rem">${[
  390, 1280,
]
  .flatMap((width) => SCHEMES.map((scheme) => [width, scheme]))
  .map(
    ([width, scheme]) => `<iframe title="${width} ${scheme}" src="/dev/components/${scheme}"
    style="flex:none;width:${width}px;height:95vh"></iframe>`,
  )
  .join('')}</body></html>`;
const pageOf = (scheme) => `<!doctype html>
<html lang="en" style="color-scheme:${scheme}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Components</title>
<link rel="stylesheet" href="/dev/${scheme}.css"><div id="app"></div>
<script type="module" src="/dev/components.js"></script><script src="/dev/reload.js"></script></html>`;
/** The style sheet as a device with this scheme applies it. */
const styleIn = (scheme) =>
  Buffer.from(files.get('components.css'))
    .toString()
    .replaceAll(/@media \(prefers-color-scheme: (\w+)\)/g, (_, known) =>
      known === scheme ? '@media all' : '@media not all',
    );
const TYPES = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.map': 'application/json',
};

function answer(response, name, body, status = 200) {
  const type = `${TYPES[extname(name)]}; charset=utf-8`;
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}

function handle(incoming, response) {
  const { pathname } = new URL(incoming.url, 'http://localhost');
  if (pathname === '/dev/changes') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.flushHeaders();
    pages.add(response);
    response.on('close', () => pages.delete(response));
    return;
  }
  if (pathname === '/dev/reload.js') return answer(response, 'reload.js', RELOAD);
  if (pathname === '/dev/components') return answer(response, 'frames.html', FRAMES);
  for (const scheme of SCHEMES) {
    if (pathname === `/dev/components/${scheme}`) {
      return answer(response, 'components.html', pageOf(scheme));
    }
    if (pathname === `/dev/${scheme}.css`) return answer(response, 'scheme.css', styleIn(scheme));
  }
  // The service names the files of its own build: portal-1A2B3C4D.js.
  const [, name, ending] =
    /^\/(?:app\/files|dev)\/([a-z]+)(?:-[A-Z0-9]{8})?(\.[a-z.]+)$/.exec(pathname) ?? [];
  const file = files.get(`${name}${ending}`);
  if (file) return answer(response, `${name}${ending}`, file);
  passOn(incoming, response);
}

function passOn(incoming, response) {
  const { method, url, headers } = incoming;
  const options = {
    host: '127.0.0.1',
    port: servicePort,
    method,
    path: url,
    headers: { ...headers, 'accept-encoding': 'identity' },
  };
  const outgoing = request(options, async (answered) => {
    const { statusCode, headers: own } = answered;
    if (!own['content-type']?.startsWith('text/html')) {
      answered.pipe(response.writeHead(statusCode, own));
      return;
    }
    const { 'content-security-policy': _, 'content-length': __, ...others } = own;
    const page = await buffer(answered);
    response.writeHead(statusCode, others);
    response.end(`${page.toString()}<script src="/dev/reload.js"></script>`);
  });
  // The service restarts, or has failed to: the page comes back with the next change.
  outgoing.on('error', () =>
    answer(response, 'wait.html', '<script src="/dev/reload.js"></script>', 503),
  );
  incoming.pipe(outgoing);
}

const changed = new Set();
let isBusy = false;

async function update() {
  if (isBusy) return;
  isBusy = true;
  while (changed.size > 0) {
    await wait(SETTLE_MS);
    const startMs = performance.now();
    const paths = [...changed];
    changed.clear();
    try {
      const before = rendererHash;
      await build(paths);
      // The service loads the renderer of the public pages once.
      if (rendererHash !== before) await buildWeb({ root, dist, olderThanMs: 0 });
      if (rendererHash !== before || paths.some(isProgram)) {
        await startService();
      }
      for (const page of pages) page.write('data: changed\n\n');
      console.log(`${paths.join(', ')}: built in ${Math.round(performance.now() - startMs)} ms`);
    } catch {
      // Esbuild has printed the fault; the next change tries again.
    }
  }
  isBusy = false;
}

await build([]);
await buildWeb({ root, dist, olderThanMs: 0 });
await startService();
for (const folder of ['src', 'addons', 'texts', 'web', 'sdk/src']) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (!/\.(tsx?|css|json|svg)$/.test(name) || name.endsWith('.test.ts')) return;
    changed.add(join(folder, name).replaceAll('\\', '/'));
    void update();
  });
}
// The sample data has known passwords: only this machine may reach them.
createServer(handle).listen(Number(port), 'localhost', () =>
  console.log(`\n  Open http://localhost:${port}, or http://localhost:${port}/dev/components\n`),
);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    service.kill('SIGTERM');
    process.exit();
  });
}
