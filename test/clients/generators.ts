import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const here = import.meta.dirname;
const root = fileURLToPath(new URL('../..', import.meta.url));
const cacheRoot = join(root, 'node_modules/.cache/clients');
const own = promisify(execFile);

/** No measure of speed: only so that a program that never ends is named at last. */
const STEP_MS_MAX = 10 * 60_000;

/** The addresses of the documents, as files. */
export interface Documents {
  readonly v2: object;
  readonly store: object;
}

/** The folder of one run: the programs, and what is generated for them. Remove it afterwards. */
export async function makeClients(documents: Documents, baseUrls: { v2: string; store: string }) {
  const folder = mkdtempSync(join(await installed(), 'run-'));
  cpSync(join(here, 'programs'), folder, { recursive: true });
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  }
  await generateWithOpenApiTypescript(folder);
  await generateWithOrval(folder, baseUrls);
  await generateWithHeyApi(folder);
  return folder;
}

/** With `defaultNonNullable` a field of a body that has a default would have to be sent. */
async function generateWithOpenApiTypescript(folder: string): Promise<void> {
  for (const name of ['v2', 'store']) {
    const target = `generated/fetch/${name}.ts`;
    const flags = ['--default-non-nullable=false', '--output', target];
    await runProgram(folder, 'openapi-typescript/bin/cli.js', [`${name}.json`, ...flags]);
  }
}

async function generateWithOrval(folder: string, baseUrls: Record<string, string>): Promise<void> {
  const projects = ['v2', 'store'].map((name) => [
    name,
    {
      input: `./${name}.json`,
      output: {
        target: `./generated/orval/${name}.ts`,
        client: 'fetch',
        mode: 'single',
        baseUrl: baseUrls[name],
      },
    },
  ]);
  const config = JSON.stringify(Object.fromEntries(projects));
  writeFileSync(join(folder, 'orval.config.mjs'), `export default ${config};\n`);
  await runProgram(folder, 'orval/dist/bin/orval.mjs', ['--config', 'orval.config.mjs']);
}

async function generateWithHeyApi(folder: string): Promise<void> {
  const jobs = ['v2', 'store'].map((name) => ({
    input: `./${name}.json`,
    output: `./generated/zod/${name}`,
    plugins: [
      '@hey-api/client-fetch',
      '@hey-api/typescript',
      'zod',
      { name: '@hey-api/sdk', validator: true },
    ],
    logs: { file: false },
  }));
  const config = `export default ${JSON.stringify(jobs)};\n`;
  writeFileSync(join(folder, 'openapi-ts.config.mjs'), config);
  await runProgram(folder, '@hey-api/openapi-ts/bin/run.js', ['-f', 'openapi-ts.config.mjs']);
}

/**
 * What the compiler has to say of the programs and of everything that was generated for them. It is the compiler of this
 * project: measured, that of the generators takes 13 s of processor time, this one 3.
 */
export async function compile(folder: string): Promise<string> {
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    await runFile(folder, compiler, ['--project', '.', '--checkers', '1']);
    return '';
  } catch (error) {
    return (error as { stdout?: string }).stdout || String(error);
  }
}

/** A program with all that it imports, to be run here. */
export async function load<T>(folder: string, program: string): Promise<T> {
  const outfile = join(folder, `${program}.bundle.mjs`);
  await build({
    entryPoints: [join(folder, `${program}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  return (await import(pathToFileURL(outfile).href)) as T;
}

/** Runs a program of the generators. */
function runProgram(folder: string, program: string, flags: string[]): Promise<void> {
  return runFile(folder, join(folder, '../node_modules', program), flags);
}

/** Runs a program on the Node that runs this. */
async function runFile(folder: string, file: string, flags: string[]): Promise<void> {
  await own(process.execPath, [file, ...flags], {
    cwd: folder,
    timeout: STEP_MS_MAX,
    env: environment(),
  });
}

/** Where the generators are: installed once for each lock file, beside the other caches. */
async function installed(): Promise<string> {
  const lock = readFileSync(join(here, 'package-lock.json'));
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const folder = join(cacheRoot, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cacheRoot, { recursive: true });
  const made = mkdtempSync(join(cacheRoot, 'install-'));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(join(here, file), join(made, file));
    const flags = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    await own('npm', flags, { cwd: made, timeout: STEP_MS_MAX, env: environment() });
    // Another run may have been quicker.
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

function environment(): NodeJS.ProcessEnv {
  const { PATH = '', NODE_OPTIONS: _, ...rest } = process.env;
  return {
    ...rest,
    PATH: [join(root, 'node_modules/.bin'), PATH].join(delimiter),
    // Disables the telemetry of generators.
    DO_NOT_TRACK: '1',
    CI: '1',
  };
}
