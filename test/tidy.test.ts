import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allFaults, faultsOf } from './plain-words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const LINES_MAX = 300;

interface SourceFile {
  /** From the root, with slashes: `src/kernel/declare/site.ts`. */
  path: string;
  text: string;
  /** What it imports: files by their path from the root, packages by their name. */
  imports: string[];
}

function filesUnder(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name).replaceAll(sep, '/'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map(([, target]) => {
    if (!target!.startsWith('.')) return target!;
    const file = join(root, dirname(path), target!);
    return relative(root, file).replaceAll(sep, '/');
  });
}

const everything = [...filesUnder('src'), ...filesUnder('test')];
const source = everything.filter(
  ({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'),
);

/** The part of the program a file belongs to. */
function layerOf(path: string): string {
  const [, folder, ...rest] = path.split('/');
  if (rest.length > 0) return folder!;
  return folder!.startsWith('edition-') ? 'editions' : 'top';
}

/** `src/modules/keys/token.ts` → `src/modules/keys`. */
const unitOf = (path: string) => path.split('/').slice(0, 3).join('/');

const program = [
  'top',
  'installation',
  'editions',
  'modules',
  'http',
  'worker',
  'redis',
  'kernel',
  'db',
  'shared',
];

/** The layers that each layer may import. The command line and the files at the top may import anything. */
const mayImport: Record<string, string[]> = {
  shared: ['shared'],
  db: ['db', 'shared'],
  kernel: ['kernel', 'db', 'shared'],
  http: ['http', 'kernel', 'db', 'shared'],
  worker: ['worker', 'kernel', 'db', 'shared'],
  redis: ['redis', 'kernel', 'shared'],
  modules: ['modules', 'kernel', 'db', 'shared'],
  addons: ['addons', 'modules', 'kernel', 'db', 'shared'],
  editions: ['editions', 'addons', 'modules', 'kernel'],
  installation: ['installation', 'editions', 'modules', 'worker', 'http', 'kernel', 'db', 'shared'],
  tools: ['tools', 'cli', ...program],
  cli: ['cli', 'tools', ...program],
  top: ['cli', ...program],
};

function eachImport(check: (from: string, to: string) => string | undefined): void {
  const faults = source.flatMap(({ path, imports }) =>
    imports
      .filter((target) => target.startsWith('src/'))
      .map((target) => check(path, target))
      .filter((fault) => fault !== undefined),
  );
  assert.deepEqual(faults, []);
}

describe('imports', () => {
  test('are found by this test', () => {
    assert.ok(source.length > 50);
    const app = source.find(({ path }) => path === 'src/app.ts')!;
    assert.ok(app.imports.includes('src/kernel/declare/registry.ts'));
    assert.ok(source.some(({ imports }) => imports.includes('fastify')));
  });

  test('every folder of src is a known layer', () => {
    const unknown = source.filter(({ path }) => !(layerOf(path) in mayImport));
    assert.deepEqual(
      unknown.map(({ path }) => path),
      [],
    );
  });

  test('go from the outside in: shared ← db ← kernel ← modules ← add-ons ← editions ← app', () => {
    eachImport((from, to) =>
      mayImport[layerOf(from)]!.includes(layerOf(to)) ? undefined : `${from} imports ${to}`,
    );
  });

  test('between the rooms of the kernel go one way: declare ← call ← cache, present', () => {
    const rooms: Record<string, string[]> = {
      declare: ['declare'],
      call: ['call', 'declare'],
      cache: ['cache', 'call', 'declare'],
      present: ['present', 'cache', 'call', 'declare'],
    };
    const roomOf = (path: string) => /^src\/kernel\/([^/]+)\//.exec(path)?.[1];
    eachImport((from, to) => {
      const [room, imported] = [roomOf(from), roomOf(to)];
      if (room === undefined || imported === undefined) return undefined;
      return rooms[room]?.includes(imported) ? undefined : `${from} imports ${to}`;
    });
  });

  test('of another module go through its index.ts', () => {
    eachImport((from, to) => {
      const inside = ['modules', 'addons'].includes(layerOf(from));
      if (!inside || layerOf(to) !== 'modules' || unitOf(from) === unitOf(to)) return undefined;
      return to === `${unitOf(to)}/index.ts` ? undefined : `${from} imports ${to}`;
    });
  });

  test('of an add-on are for that add-on and the paid edition alone', () => {
    eachImport((from, to) => {
      if (layerOf(to) !== 'addons' || from === 'src/edition-pro.ts') return undefined;
      return unitOf(from) === unitOf(to) ? undefined : `${from} imports ${to}`;
    });
  });

  test('the program never imports from the tests', () => {
    const faults = source.filter(({ imports }) =>
      imports.some((target) => target.startsWith('test/') || target.endsWith('.test.ts')),
    );
    assert.deepEqual(
      faults.map(({ path }) => path),
      [],
    );
  });

  test('of the web framework are for src/http alone', () => {
    const users = source.filter(({ imports }) =>
      imports.some((target) => /^@?fastify\b/.test(target)),
    );
    for (const { path } of users) assert.equal(layerOf(path), 'http', path);
  });

  test('every file that is imported exists', () => {
    const known = new Set(everything.map(({ path }) => path));
    eachImport((from, to) =>
      known.has(to) || existsSync(join(root, to)) ? undefined : `${from} imports ${to}`,
    );
  });
});

/** Comments may name a database wherever it helps; code may not. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|(?<![:'"`\w])\/\/.*$/gm, '');
}

describe('words', () => {
  test('the names of databases stay in src/db, src/installation/config-keys.ts and src/app.ts', () => {
    const allowed = (path: string) =>
      path.startsWith('src/db/') ||
      path === 'src/installation/config-keys.ts' ||
      path === 'src/app.ts';
    const faults = source
      .filter(({ path, text }) => !allowed(path) && /sqlite|postgres/i.test(withoutComments(text)))
      .map(({ path }) => path);
    assert.deepEqual(faults, []);
  });

  test('nothing is left for later', () => {
    const later = /\b(?:TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b/;
    const faults = everything.filter(({ text }) => later.test(text)).map(({ path }) => path);
    assert.deepEqual(faults, []);
  });

  test('no test is skipped or runs alone', () => {
    const marked = /\b(?:test|describe|it)\.(?:skip|only|todo)\b|\{\s*(?:skip|only|todo):/;
    const tests = everything.filter(({ path }) => path.endsWith('.test.ts'));
    const faults = tests.filter(({ text }) => marked.test(text)).map(({ path }) => path);
    assert.deepEqual(faults, []);
  });
});

describe('plain words', () => {
  test('are used in comments, messages and documents', () => {
    assert.deepEqual(allFaults(), []);
  });

  // The banned words are put together here, so that this file passes its own test.
  const person = ['no', 'body'].join('');
  const verb = ['to', 'ld'].join('');

  test('are checked in comments and strings, not in code', () => {
    const code = [
      `const ${person} = ${verb}(/\`${person}/); // A caller that`,
      `// ${person} knows.`,
      `log.info('no' + "${person}'s fault", \`a \${'some key' + \`\${{ ${person} }}\`} ${person} else\`);`,
      `/** Calls \`${person}()\`. Every`,
      ` * ${person} waits. */`,
    ];
    const found = faultsOf('a.ts', code.join('\n')).map((fault) => fault.split(' “')[0]);
    assert.deepEqual(found, ['a.ts:2', 'a.ts:3', 'a.ts:3', 'a.ts:5']);
  });

  test('are checked in documents, except in code', () => {
    const lines = ['Text', '```', person, '```', `that \`${person}\` was`, `${verb} of.`];
    assert.deepEqual(faultsOf('a.md', lines.join('\n')), [
      `a.md:6 “${verb}” → emitted, notified, reported, passed`,
    ]);
  });
});

describe('casts', () => {
  const lines = [...everything, ...filesUnder('bench')].flatMap(({ path, text }) =>
    text.split('\n').map((line, i, all) => ({
      place: `${path}:${i + 1}`,
      code: line.replace(/\/\/.*|^\s*\*.*/, ''),
      before: all[i - 1]?.trim() ?? '',
    })),
  );
  const placesOf = (found: typeof lines) => found.map(({ place }) => place);

  test('to never do not exist: the types say what a value is', () => {
    const cast = /\bas never\b/;
    assert.deepEqual(placesOf(lines.filter(({ code }) => cast.test(code))), []);
  });

  test('through unknown have their reason in a comment on the line above', () => {
    const cast = /\bas unknown as\b/;
    const found = lines.filter(({ code }) => cast.test(code));
    assert.ok(found.length > 0);
    assert.deepEqual(placesOf(found.filter(({ before }) => !before.startsWith('//'))), []);
  });
});

describe('files', () => {
  test(`of the program have at most ${LINES_MAX} lines`, () => {
    const long = source
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > LINES_MAX);
    assert.deepEqual(long, []);
  });

  test('are named by what they hold', () => {
    const empty = /(^|[-./])(utils?|helpers?|common|manager|service|base|misc)\.ts$/;
    const faults = everything.filter(({ path }) => empty.test(path)).map(({ path }) => path);
    assert.deepEqual(faults, []);
  });

  test('are named in lower case with dashes', () => {
    const faults = everything
      .filter(({ path }) => !/^[a-z0-9/-]+(\.test)?\.ts$/.test(path))
      .map(({ path }) => path);
    assert.deepEqual(faults, []);
  });
});
