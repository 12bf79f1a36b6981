import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { tempFolder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const workflows = readdirSync(join(root, '.github/workflows'));

interface Workflow {
  on: object;
  permissions: object;
  jobs: Record<
    string,
    {
      'runs-on': string;
      needs?: string;
      strategy?: { matrix: { part?: string[]; include?: { platform: string }[] } };
      steps: { run?: string; uses?: string }[];
    }
  >;
}

describe('workflows of the forge', () => {
  test('are there for changes and for releases', () => {
    assert.deepEqual(workflows.toSorted(), ['ci.yml', 'release.yml']);
  });

  for (const name of workflows) {
    test(`${name} is valid YAML with limited permissions, and calls .ci/run`, () => {
      const workflow = parse(read(`.github/workflows/${name}`)) as Workflow;
      assert.ok(workflow.on && workflow.permissions);
      const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
      assert.ok(steps.every((step) => (step.run === undefined) !== (step.uses === undefined)));
      assert.ok(steps.some((step) => step.run?.startsWith('.ci/run')));
    });
  }

  describe('.ci/run', () => {
    const folder = tempFolder();
    const calls = join(folder, 'calls');
    /** Runs it with an npm that notes its commands and fails at one of them. */
    const run = (args: string[], failing = 'none') => {
      rmSync(calls, { force: true });
      const { status } = spawnSync(join(root, '.ci/run'), args, {
        env: { ...process.env, PATH: `${folder}:${process.env['PATH']}`, FAILING: failing },
      });
      return { status, commands: readFileSync(calls, 'utf8').trimEnd().split('\n') };
    };
    before(() => {
      const npm = `#!/bin/sh\necho "npm $*" >> ${calls}\ntest "npm $*" != "$FAILING"\n`;
      writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
    });

    test('installs once, checks, tests by the command of the README, and runs the other tests', () => {
      const [command] = /(?<=## Test it\n\n```sh\n).+/.exec(read('README.md'))!;
      const [install, ...tests] = command.split(' && ');
      const commands = [install, 'npm run check', ...tests, 'npm run test:all -- --rest'];
      assert.deepEqual(run([]), { status: 0, commands });
    });

    test('runs only the static checks, only the tests of a change, or only a part of the others', () => {
      const rest = 'npm run test:all -- --rest';
      assert.deepEqual(run(['static']).commands, ['npm ci', 'npm run check']);
      assert.deepEqual(run(['test']).commands, ['npm ci', 'npm test']);
      assert.deepEqual(run(['rest', '1/2']).commands, ['npm ci', `${rest} --part=1/2`]);
    });

    for (const [failing, ...earlier] of [
      ['npm ci'],
      ['npm run check', 'npm ci'],
      ['npm test', 'npm ci', 'npm run check'],
      ['npm run test:all -- --rest', 'npm ci', 'npm run check', 'npm test'],
    ] as [string, ...string[]][]) {
      test(`ends and fails if "${failing}" fails`, () => {
        assert.deepEqual(run([], failing), { status: 1, commands: [...earlier, failing] });
      });
    }
  });

  test('CI runs the static checks first, then the tests, and every part of the others each night', () => {
    const ci = parse(read('.github/workflows/ci.yml')) as Workflow;
    const { static: checks, test: tests, rest } = ci.jobs;
    assert.ok(checks!.steps.some(({ run }) => run === '.ci/run static'));
    assert.equal(tests!.needs, 'static');
    assert.ok(tests!.steps.some(({ run }) => run === '.ci/run test'));
    assert.ok('schedule' in ci.on);
    assert.deepEqual(rest!.strategy!.matrix.part, ['1/2', '2/2']);
    assert.ok(rest!.steps.some(({ run }) => run === '.ci/run rest ${{ matrix.part }}'));
  });

  test('CI audits every package of the lock files, apart from the tests', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
    const commands = jobs['audit']!.steps.map(({ run }) => run).filter(Boolean);
    assert.deepEqual(commands, [
      'npm audit --package-lock-only --audit-level=moderate',
      'npm audit --package-lock-only --audit-level=high',
    ]);
    assert.doesNotMatch(read('.ci/run'), /audit/);
  });

  test('a release has the notes of its version and no others', () => {
    const { steps } = (parse(read('.github/workflows/release.yml')) as Workflow).jobs['package']!;
    const { run: command } = steps.find(({ run }) => run?.includes('notes.md'))!;
    const folder = tempFolder();
    writeFileSync(join(folder, 'CHANGELOG.md'), read('CHANGELOG.md'));
    const notesOf = (version: string) => {
      const env = { ...process.env, GITHUB_REF_NAME: `v${version}` };
      const { status } = spawnSync('bash', ['-e', '-c', command!], { cwd: folder, env });
      return { status, notes: readFileSync(join(folder, 'notes.md'), 'utf8') };
    };
    const { status, notes } = notesOf('0.7.0');
    assert.equal(status, 0);
    const [, section = ''] = read('CHANGELOG.md').split(/^## 0\.7\.0.*$/m);
    assert.equal(notes.trim(), section.split(/^## /m)[0]!.trim());
    assert.notEqual(notesOf('9.9.9').status, 0, 'a version without notes is not released');
  });

  test('a release has the package, and an image for both platforms with its provenance', () => {
    const { package: pack, image } = (parse(read('.github/workflows/release.yml')) as Workflow)
      .jobs;
    const commands = [...pack!.steps, ...image!.steps].map(({ run }) => run ?? '').join('\n');
    assert.match(commands, /gh release create .* tributary-affiliates-\*\.tgz/);
    assert.match(commands, /buildx build --provenance=mode=max --sbom=true/);
    const platforms = image!.strategy!.matrix.include!.map(({ platform }) => platform);
    assert.deepEqual(platforms, ['amd64', 'arm64']);
  });

  test('issue templates are valid YAML', () => {
    for (const name of readdirSync(join(root, '.github/ISSUE_TEMPLATE'))) {
      assert.equal(typeof parse(read(`.github/ISSUE_TEMPLATE/${name}`)), 'object', name);
    }
  });
});

describe('CONTRIBUTING.md', () => {
  const text = read('CONTRIBUTING.md');

  test('names scripts and files that exist', () => {
    const scripts = [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name!);
    assert.ok(scripts.length > 5);
    for (const name of scripts) assert.ok(name in manifest.scripts, name);
    const files = [...text.matchAll(/\b((?:src|test|scripts)\/[\w./-]+\.(?:ts|txt))/g)];
    assert.ok(files.length > 4);
    for (const [, file] of files) assert.ok(existsSync(join(root, file!)), file!);
    const links = [...text.matchAll(/\]\(([\w./-]+)\)/g)];
    for (const [, file] of links) assert.ok(existsSync(join(root, file!)), file!);
  });
});
