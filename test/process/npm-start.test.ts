import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import https from 'node:https';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { databaseVariables } from './installation-database.ts';
import { collect, ended, inTheEnd, launchNode, tempFolder, type Exit } from './launch.ts';
import { serverOf, startServer, type Server } from './running-server.ts';

const project = join(import.meta.dirname, '../..');

/** `npm start` in the checkout, at the head of a process group as in a terminal. */
async function npmStart(script: 'start' | 'demo', ...flags: string[]): Promise<Server> {
  const data = join(tempFolder(), 'data');
  const args = ['--data', data, '--host', '127.0.0.1', '--port', '0', ...flags];
  const command = ['npm', 'run', script, '--', ...args];
  const env = await databaseVariables(args, project);
  const child = launchNode(command, { cwd: project, env, ownGroup: true });
  return serverOf(child, collect(child), data);
}

/** What Ctrl+C in a terminal does: each process of the foreground group gets the signal. */
const pressCtrlC = (child: ChildProcess) => process.kill(-child.pid!, 'SIGINT');

async function assertDrained(server: Server, exit: Promise<Exit>): Promise<void> {
  // The output closes only when no process holds it any more: the service has ended too.
  await inTheEnd(exit, 'the end of npm and of the service');
  assert.match(server.output.stderr, /"shutting down:/);
  await assert.rejects(server.call('~/healthz'), { code: 'ECONNREFUSED' });
}

describe('npm start', { concurrency: 2 }, () => {
  for (const script of ['start', 'demo'] as const) {
    test(`SIGTERM to npm run ${script} reaches the service, which drains and ends`, async () => {
      const server = await npmStart(script);
      assert.equal((await server.call('~/healthz')).status, 200);
      const exit = ended(server.child);
      server.child.kill('SIGTERM');
      await assertDrained(server, exit);
    });
  }

  test('the exit code of npm after SIGTERM is 0: the service was stopped in order', async () => {
    const server = await npmStart('start');
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });

  test('Ctrl+C once: the service drains and ends', async () => {
    const server = await npmStart('start');
    const exit = ended(server.child);
    pressCtrlC(server.child);
    await assertDrained(server, exit);
  });
});

describe('Ctrl+C again', () => {
  test('ends the service immediately, with a failure as exit code', async () => {
    const flags = ['--stop-delay', '60'];
    const server = await startServer(tempFolder(), flags, { ownGroup: true });
    // Without a connection there would be nothing to wait for.
    const agent = new https.Agent({ keepAlive: true });
    assert.equal((await server.call('~/healthz', { agent })).status, 200);
    const exit = ended(server.child);
    pressCtrlC(server.child);
    await eventually(() => assert.match(server.output.stderr, /"shutting down:/));
    // Signals within a second count as one press.
    const pressing = setInterval(() => pressCtrlC(server.child), 300);
    const { code } = await inTheEnd(exit, 'the end').finally(() => clearInterval(pressing));
    agent.destroy();
    assert.equal(code, 1);
  });
});
