import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };

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
      strategy?: { matrix: { part: string[] } };
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

  test('.ci/run does what the documents say', () => {
    const script = read('.ci/run');
    assert.match(script, /npm ci && npm run check:static;.*\n.*npm ci && npm test /);
  });

  test('CI runs the static checks first, then every part of the tests', () => {
    const { static: checks, test: tests } = (parse(read('.github/workflows/ci.yml')) as Workflow)
      .jobs;
    assert.ok(checks!.steps.some(({ run }) => run === '.ci/run static'));
    assert.equal(tests!.needs, 'static');
    assert.deepEqual(tests!.strategy!.matrix.part, ['1/3', '2/3', '3/3']);
    assert.ok(tests!.steps.some(({ run }) => run === '.ci/run tests ${{ matrix.part }}'));
  });

  test('CI audits every package of the lock file, apart from the tests', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
    const commands = jobs['audit']!.steps.map(({ run }) => run).filter(Boolean);
    assert.deepEqual(commands, ['npm audit --package-lock-only --audit-level=moderate']);
    assert.doesNotMatch(read('.ci/run'), /audit/);
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
