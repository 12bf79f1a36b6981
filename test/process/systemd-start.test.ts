import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { collect, ended, inTheEnd, launchNode, tempFolder } from './launch.ts';
import { runJson } from './run.ts';

// The way of docs/operating.md, "With systemd": the command, the environment and the environment file of
// the unit, as systemd would use them, with a folder of the test in place of /var/lib/tributary.

const root = join(import.meta.dirname, '../..');
const unit = readFileSync(join(root, 'deploy/tributary.service'), 'utf8');
const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!;

/** Reads `NAME=value` lines; comments and empty lines are left out. */
const variablesIn = (lines: string[]): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value!] as const];
    }),
  );

describe('the service of deploy/tributary.service', () => {
  test('starts with its environment file, works, and stops when systemd says so', async () => {
    const data = join(tempFolder(), 'data');
    const environmentFile = readFileSync(join(root, 'deploy/tributary.env.example'), 'utf8')
      .replace('#TRIBUTARY_PORT=8443', 'TRIBUTARY_PORT=0')
      .replace('#TRIBUTARY_CURRENCY=USD', 'TRIBUTARY_CURRENCY=EUR');
    const fromUnit = variablesIn(valueOf('Environment').split(' '));
    const env = { ...fromUnit, ...variablesIn(environmentFile.split('\n')), TRIBUTARY_DATA: data };
    const [program, ...words] = valueOf('ExecStart')
      .replace('/opt/tributary/node_modules/.bin/tributary', join(root, 'bin/tributary.js'))
      .split(' ');
    const child = launchNode([program!, ...words], { env, cwd: root });
    const output = collect(child);
    const url = await eventually(() => {
      assert.equal(child.exitCode, null, output.stderr);
      const told = /running at (https:\/\/\S+)[^]*setup\?token/.exec(output.stdout);
      assert.ok(told, 'it prints its address and the link that makes the first administrator');
      return told[1]!;
    });
    assert.match(url, /^https:\/\/localhost:\d+$/);
    assert.equal(statSync(data).mode & 0o777, 0o700);

    const commands = { cwd: tempFolder(), env: { TRIBUTARY_CURRENCY: 'EUR' } };
    assert.deepEqual(await runJson(['keys', 'list', '--data', data], commands), []);

    child.kill(valueOf('KillSignal') as NodeJS.Signals);
    const { code } = await inTheEnd(ended(child), 'stopping');
    assert.equal(code, 0, output.stderr);
  });
});
