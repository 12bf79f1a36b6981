import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ceilings } from './ceilings.ts';
import { allErrors, errorsOf } from './support/plain-words.ts';

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
    .filter((name) => /\.tsx?$/.test(name))
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

const ofAddons = filesUnder('addons');
const isTest = (path: string) => /\.test\.tsx?$|^addons\/[^/]+\/test\//.test(path);
const isScreen = (path: string) => /^addons\/[^/]+\/(?:console|portal)\//.test(path);
const web = [...filesUnder('web'), ...ofAddons.filter(({ path }) => isScreen(path))];
const everything = [...filesUnder('src'), ...ofAddons, ...filesUnder('web'), ...filesUnder('test')];
const source = everything.filter(
  ({ path }) => /^(?:src|addons)\//.test(path) && !isTest(path) && !isScreen(path),
);

/** The part of the program a file belongs to. */
function layerOf(path: string): string {
  const [first, folder, ...rest] = path.split('/');
  if (first === 'addons') return 'addons';
  if (rest.length > 0) return folder!;
  return folder!.startsWith('edition-') ? 'editions' : 'top';
}

/** `src/modules/keys/token.ts` → `src/modules/keys`. The folder of an add-on has one level less. */
const unitOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('addons/') ? 2 : 3)
    .join('/');

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
  'web-contract',
  'shared',
];

/** The layers that each layer may import. The command line and the files at the top may import anything. */
const mayImport: Record<string, string[]> = {
  shared: ['shared'],
  'web-contract': ['web-contract', 'shared'],
  db: ['db', 'shared'],
  kernel: ['kernel', 'db', 'web-contract', 'shared'],
  http: ['http', 'kernel', 'db', 'web-contract', 'shared'],
  worker: ['worker', 'kernel', 'db', 'shared'],
  redis: ['redis', 'kernel', 'shared'],
  modules: ['modules', 'kernel', 'db', 'web-contract', 'shared'],
  addons: ['addons', 'modules', 'kernel', 'db', 'web-contract', 'shared'],
  editions: ['editions', 'addons', 'modules', 'kernel'],
  installation: [
    'installation',
    'editions',
    'modules',
    'worker',
    'http',
    'kernel',
    'db',
    'web-contract',
    'shared',
  ],
  tools: ['tools', 'cli', ...program],
  cli: ['cli', 'tools', ...program],
  top: ['cli', ...program],
};

function eachImport(check: (from: string, to: string) => string | undefined): void {
  const errors = source.flatMap(({ path, imports }) =>
    imports
      .filter((target) => /^(?:src|addons)\//.test(target))
      .map((target) => check(path, target))
      .filter((error) => error !== undefined),
  );
  assert.deepEqual(errors, []);
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

  test('between modules form no circle', () => {
    const inModules = (path: string) => path.startsWith('src/modules/');
    const graph = new Map<string, Set<string>>();
    for (const { path, imports } of source.filter((file) => inModules(file.path))) {
      const unit = unitOf(path);
      const others = imports.filter(inModules).map(unitOf);
      const known = graph.get(unit) ?? new Set();
      graph.set(unit, new Set([...known, ...others.filter((other) => other !== unit)]));
    }
    const reachedFrom = (start: string) => {
      // A set also visits what is added to it while it is read.
      const reached = new Set(graph.get(start));
      for (const unit of reached) graph.get(unit)?.forEach((next) => reached.add(next));
      return reached;
    };
    const circles = [...graph].flatMap(([unit, others]) =>
      [...others]
        .filter((other) => reachedFrom(other).has(unit))
        .map((other) => `${unit} imports ${other}`),
    );
    assert.deepEqual(circles, []);
  });

  test('of an add-on are for that add-on and the paid edition alone', () => {
    eachImport((from, to) => {
      if (layerOf(to) !== 'addons' || from === 'src/edition-pro.ts') return undefined;
      return unitOf(from) === unitOf(to) ? undefined : `${from} imports ${to}`;
    });
  });

  test('the program never imports from the tests', () => {
    const errors = source.filter(({ imports }) =>
      imports.some((target) => target.startsWith('test/') || target.endsWith('.test.ts')),
    );
    assert.deepEqual(
      errors.map(({ path }) => path),
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
    const errors = source
      .filter(({ path, text }) => !allowed(path) && /sqlite|postgres/i.test(withoutComments(text)))
      .map(({ path }) => path);
    assert.deepEqual(errors, []);
  });

  test('nothing is left for later', () => {
    const later = /\b(?:TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b/;
    const errors = everything.filter(({ text }) => later.test(text)).map(({ path }) => path);
    assert.deepEqual(errors, []);
  });

  test('no test is skipped or runs alone', () => {
    const marked = /\b(?:test|describe|it)\.(?:skip|only|todo)\b|\{\s*(?:skip|only|todo):/;
    const tests = everything.filter(({ path }) => path.endsWith('.test.ts'));
    const errors = tests.filter(({ text }) => marked.test(text)).map(({ path }) => path);
    assert.deepEqual(errors, []);
  });
});

describe('plain words', () => {
  test('are used in comments, messages and documents', () => {
    assert.deepEqual(allErrors(), []);
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
    const found = errorsOf('a.ts', code.join('\n')).map((error) => error.split(' “')[0]);
    assert.deepEqual(found, ['a.ts:2', 'a.ts:3', 'a.ts:3', 'a.ts:5']);
  });

  test('are checked in documents, except in code', () => {
    const lines = ['Text', '```', person, '```', `that \`${person}\` was`, `${verb} of.`];
    assert.deepEqual(errorsOf('a.md', lines.join('\n')), [
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
    const long = [...source, ...web]
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > LINES_MAX);
    assert.deepEqual(long, []);
  });

  // Each add-on, each module, src and web as a whole.
  test('of a folder have no more lines than its ceiling', () => {
    const lines = new Map<string, number>();
    for (const { path, text } of [...source, ...web]) {
      if (isTest(path)) continue;
      const [whole] = path.split('/');
      const folder = /^(?:src\/(?:modules|addons)|addons)\/[^/]+/.exec(path)?.[0];
      for (const name of [whole!, folder]) {
        if (name === undefined || name === 'addons') continue;
        lines.set(name, (lines.get(name) ?? 0) + text.split('\n').length - 1);
      }
    }
    const errors = [...lines]
      .filter(([name, count]) => count > (ceilings[name] ?? 0))
      .map(
        ([name, count]) =>
          `${name} has ${count} lines, its ceiling is ${ceilings[name] ?? 'missing'}: remove what is no longer needed, ` +
          'or raise it in test/ceilings.ts with a commit of its own that says what the lines bring',
      );
    assert.deepEqual(errors, []);
    // Deleting the folder of an add-on is enough to remove it.
    const gone = Object.keys(ceilings).filter(
      (name) => !lines.has(name) && !name.startsWith('addons/'),
    );
    assert.deepEqual(gone, [], 'ceilings of folders that do not exist');
  });

  test('are named by what they hold', () => {
    const empty = /(^|[-./])(utils?|helpers?|common|manager|service|base|misc)\.tsx?$/;
    const errors = everything.filter(({ path }) => empty.test(path)).map(({ path }) => path);
    assert.deepEqual(errors, []);
  });

  test('are named in lower case with dashes', () => {
    const errors = everything
      .filter(({ path }) => !/^[a-z0-9/-]+(\.(test|script|d))?\.tsx?$/.test(path))
      .map(({ path }) => path);
    assert.deepEqual(errors, []);
  });
});

test('one file names downloads, and so gives each the ending of its type', () => {
  const naming = source.filter(({ text }) => /content-disposition':/i.test(text));
  assert.deepEqual(
    naming.map(({ path }) => path),
    ['src/shared/file-name.ts'],
  );
});
