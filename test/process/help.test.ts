import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempFolder } from './launch.ts';
import { run, USAGE, type Result } from './run.ts';

const project = new URL('../..', import.meta.url).href;

/** Writes the address of each loaded module into a file when the process ends. */
const RECORDER = `
  import module from 'node:module';
  import { writeFileSync } from 'node:fs';
  const loaded = [];
  module.registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => writeFileSync(process.env.LOADED_FILE, JSON.stringify(loaded)));
`;

/** Runs a command from the sources, where a module is a file, and returns what it loaded. */
async function loadedBy(args: string[]): Promise<{ result: Result; loaded: string[] }> {
  const file = join(tempFolder(), 'loaded.json');
  const preload = `data:text/javascript,${encodeURIComponent(RECORDER)}`;
  const node = [process.execPath, '--import', preload];
  const sources = join(import.meta.dirname, '../../src/main.ts');
  const result = await run(args, { node, program: sources, env: { LOADED_FILE: file } });
  const urls = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const loaded = urls
    .filter((url) => url.startsWith(project))
    .map((url) => url.slice(project.length));
  return { result, loaded };
}

/** The help needs the declarations of commands and configuration, and the library that prints it. */
const needed = [
  /^package\.json$/,
  /^src\/(main|edition-pro)\.ts$/,
  /^src\/installation\/config[\w-]*\.ts$/,
  /^src\/cli\/(program|failure|commands|import-commands|module-commands|reward-commands)\.ts$/,
  /^src\/kernel\/declare\/(command|config|errors|extension)\.ts$/,
  /^(?:src\/modules|(?:src\/)?addons)\/[\w-]+\/(addon|commands|config|extension)\.ts$/,
  /^src\/cli\/young-generation\.ts$/,
  /^src\/shared\//,
  /^src\/db\/(database-address|unavailable)\.ts$/,
  /^node_modules\/(commander|fastest-levenshtein)\//,
];

describe('help', { concurrency: 2 }, () => {
  for (const args of [
    ['--help'],
    ['start', '--help'],
    ['help', 'demo'],
    ['keys', 'create', '--help'],
    ['import', '--help'],
    ['--version'],
    ['strat'],
  ]) {
    test(`tributary ${args.join(' ')} loads no module of the service`, async () => {
      const { result, loaded } = await loadedBy(args);
      assert.equal(result.code, args[0] === 'strat' ? USAGE : 0, result.stderr);
      assert.ok(loaded.includes('src/cli/program.ts'), 'the recorder works');
      assert.deepEqual(
        loaded.filter((file) => !needed.some((pattern) => pattern.test(file))),
        [],
      );
    });
  }

  test('a reader that leaves early is no failure', async () => {
    const program = fileURLToPath(new URL('../../bin/tributary.js', import.meta.url));
    const shell = spawn('sh', ['-c', '"$1" "$2" --help | true', 'sh', process.execPath, program]);
    const [complaint] = await Promise.all([text(shell.stderr), once(shell, 'close')]);
    assert.equal(complaint, '');
  });

  test('a command that is carried out loads what it needs', async () => {
    const { result, loaded } = await loadedBy(['verify']);
    assert.notEqual(result.code, USAGE, result.stderr);
    assert.ok(loaded.includes('src/modules/ledger/index.ts'));
  });

  test('the help of an import names the columns of the file', async () => {
    const { stdout } = await run(['import', 'orders', '--help']);
    assert.match(stdout, /Columns: order_id, .*customer_email/);
  });

  for (const [typed, meant] of [
    [['strat'], 'start'],
    [['keys', 'creat'], 'create'],
    [['start', '--prot', '1'], '--port'],
  ] as const) {
    test(`"${typed.join(' ')}" is answered with the nearest: ${meant}`, async () => {
      const { code, stdout, stderr } = await run([...typed]);
      assert.equal(code, USAGE);
      assert.ok(stderr.includes(`Did you mean ${meant}?`), stderr);
      assert.equal(stdout, '');
    });
  }
});
