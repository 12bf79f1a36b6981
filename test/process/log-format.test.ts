import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findProgram } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { databaseVariables } from './installation-database.ts';
import { collect, ended, inTheEnd, launchNode, program, tempFolder } from './launch.ts';
import { startServer } from './running-server.ts';

/** \u001b[32m and the like. */
const COLOUR = new RegExp(String.raw`\u001b\[\d+m`);
const PRETTY =
  /^\[\d\d:\d\d:\d\d [+-]\d{4}\] .*INFO.*: .*the first administrator was created.*login.*root/m;
const jsonLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** With these the service logs a line with a fact, on any database. */
const passwordFile = join(tempFolder(), 'password');
writeFileSync(passwordFile, 'correct horse battery');
const unattended = [
  '--admin-email',
  'root@test.example',
  '--admin-login',
  'root',
  '--admin-password-file',
  passwordFile,
];

/** Runs a command in a pseudo terminal. */
const script = findProgram({
  names: ['script'],
  debianPackage: 'bsdutils',
  pathInPackage: 'bin/script',
}).path;

/**
 * Starts the service in a pseudo terminal, presses Ctrl+C once it runs, and returns what was shown.
 */
async function shownOnTerminal(...flags: string[]): Promise<string> {
  const data = tempFolder();
  const args = [
    'start',
    '--data',
    data,
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    ...unattended,
    ...flags,
  ];
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
  const env = { ...(await databaseVariables(args, data)), TERM: 'xterm', NO_COLOR: '' };
  const child = launchNode([script, '-qefc', command, '/dev/null'], { env, ownGroup: true });
  const output = collect(child);
  await eventually(() => assert.match(output.stdout, /Stop with Ctrl\+C/));
  const exit = ended(child);
  process.kill(child.pid!, 'SIGTERM');
  await inTheEnd(exit, 'the end');
  return output.stdout.replaceAll('\r\n', '\n');
}

describe('the log', { concurrency: 2 }, () => {
  test('on a terminal it is for people: time, level, message and facts, in colour', async () => {
    const shown = await shownOnTerminal();
    assert.match(shown, COLOUR);
    assert.match(shown.replaceAll(new RegExp(COLOUR, 'g'), ''), PRETTY);
    assert.doesNotMatch(shown, /^\{"level"/m);
    assert.match(shown, /Tributary is running at https:\/\/localhost:\d+/);
  });

  test('on a terminal it is JSON with --log-format json', async () => {
    const shown = await shownOnTerminal('--log-format', 'json');
    assert.match(
      shown,
      /^\{"level":"info","time":"[^"]+Z".*the first administrator was created"\}$/m,
    );
  });

  test('piped, each line is JSON', async () => {
    const server = await startServer(tempFolder(), unattended);
    await server.stop();
    const lines = jsonLines(server.output.stderr);
    assert.ok(lines.some(({ msg }) => msg === 'the first administrator was created'));
    for (const { level, time } of lines) {
      assert.equal(level, 'info');
      assert.match(time, /^\d{4}-.*Z$/);
    }
  });

  test('piped, it is for people with the format pretty, without colours', async () => {
    const env = { TRIBUTARY_LOG_FORMAT: 'pretty' };
    const server = await startServer(tempFolder(), unattended, { env });
    await server.stop();
    assert.match(server.output.stderr, PRETTY);
    assert.doesNotMatch(server.output.stderr, COLOUR);
  });
});
