import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { configKeys } from '../../src/installation/config-keys.ts';
import { programEnvironment, type Program } from '../support/debian-packages.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { root } from './compose-file.ts';
import { programFor, systemdAnalyze } from './programs.ts';

const INSTALLED = '/opt/tributary';
/** The link that npm makes to bin/tributary.js. */
const PROGRAM = `${INSTALLED}/node_modules/.bin/tributary`;
const STOP_DELAY_MAX_SECONDS = 60;
/** What systemd-analyze counts as exposure, from 0 (none) to 100. */
const EXPOSURE_MAX = '25';

const text = readFileSync(join(root, 'deploy/tributary.service'), 'utf8');
const valuesOf = (name: string) =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

/** The unit as it would be if this checkout was the installation. */
function unitOfCheckout(): string {
  const file = join(tempFolder(), 'tributary.service');
  const program = join(root, 'bin/tributary.js');
  writeFileSync(file, text.replaceAll(PROGRAM, program).replaceAll(INSTALLED, root));
  return file;
}

/** An unpacked systemd finds the units that every system has in its own folder. */
function unitsOf({ path, libraries }: Program): Record<string, string> {
  if (libraries.length === 0) return {};
  const unpacked = path.slice(0, path.search(/\/(usr|bin)\//));
  return { SYSTEMD_UNIT_PATH: `${join(unpacked, 'lib/systemd/system')}:` };
}

describe('deploy/tributary.service', () => {
  test('systemd understands every line and finds the program', (t) => {
    const program = programFor(t, systemdAnalyze);
    if (!program) return;
    const { status, stderr } = spawnSync(program.path, ['verify', '--man=no', unitOfCheckout()], {
      encoding: 'utf8',
      env: { ...programEnvironment(program), ...unitsOf(program) },
    });
    const ours = stderr.split('\n').filter((line) => line.includes('tributary.service'));
    assert.deepEqual([status, ours], [0, []], stderr);
  });

  test('systemd finds no way out that the service does not need', (t) => {
    const program = programFor(t, systemdAnalyze);
    if (!program) return;
    const words = ['security', '--offline=yes', '--no-pager', `--threshold=${EXPOSURE_MAX}`];
    const { status, stdout, stderr } = spawnSync(program.path, [...words, unitOfCheckout()], {
      encoding: 'utf8',
      env: programEnvironment(program),
    });
    assert.equal(status, 0, stdout + stderr);
  });

  test('it starts the program of the package, which can be executed', () => {
    const [start] = valuesOf('ExecStart');
    assert.deepEqual(start!.split(' '), [PROGRAM, 'start']);
    assert.equal(manifest.bin.tributary, 'bin/tributary.js');
    accessSync(join(root, manifest.bin.tributary), constants.X_OK);
    assert.deepEqual(valuesOf('WorkingDirectory'), [INSTALLED]);
  });

  test('the data folder is the one that systemd creates and leaves writable', () => {
    const [state] = valuesOf('StateDirectory');
    const [environment] = valuesOf('Environment');
    const set = new Map(environment!.split(' ').map((one) => one.split('=') as [string, string]));
    assert.equal(set.get(configKeys.data.env), `/var/lib/${state}`);
    assert.deepEqual(valuesOf('StateDirectoryMode'), ['0700']);
    assert.deepEqual(valuesOf('ProtectSystem'), ['strict']);
  });

  test('it waits longer for the stop than the stop can take', () => {
    assert.equal(configKeys.stopDelay.parse(String(STOP_DELAY_MAX_SECONDS)), 60);
    assert.throws(() => configKeys.stopDelay.parse(String(STOP_DELAY_MAX_SECONDS + 1)));
    const [seconds] = valuesOf('TimeoutStopSec');
    assert.ok(Number(seconds) >= STOP_DELAY_MAX_SECONDS + 10, `${seconds} seconds`);
    assert.deepEqual(valuesOf('KillMode'), ['mixed'], 'an old Node passes the signal on itself');
  });

  test('a missing environment file is no failure', () => {
    assert.deepEqual(valuesOf('EnvironmentFile'), ['-/etc/tributary/tributary.env']);
  });
});
