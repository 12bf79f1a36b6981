import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { findProgram, programEnvironment, type Program } from '../support/debian-packages.ts';
import { SAFETY_NET_MS } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

/** How `scripts/test.ts` tells the tests where Redis is; unset where they run without. */
export const REDIS_VARIABLE = 'TEST_REDIS_URL';
/** A program to start another one with, for what cannot be done to one that all tests share. */
export const PROGRAM_VARIABLE = 'TEST_REDIS_PROGRAM';

export const testRedis = (): string | undefined => process.env[REDIS_VARIABLE];

export function testRedisProgram(): Program | undefined {
  const found = process.env[PROGRAM_VARIABLE];
  return found === undefined ? undefined : (JSON.parse(found) as Program);
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Redis or Valkey of this machine, else Debian's unpacked into a folder of our own. Throws with the reason. */
export const findRedisProgram = (): Program =>
  findProgram({
    names: ['redis-server', 'valkey-server'],
    debianPackage: 'redis-server',
    pathInPackage: 'bin/redis-server',
  });

/** On loopback alone, on a free port; what it holds is never written. */
export async function startRedis(program: Program, ...more: string[]): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tributary-redis-'));
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const server = spawn(program.path, [...settings, '--appendonly', 'no', ...more], {
    env: programEnvironment(program),
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  }
  const stopNow = () => server.kill('SIGKILL');
  process.once('exit', stopNow);
  await untilReady(server, port, () => said);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    async stop() {
      process.off('exit', stopNow);
      const isRunning = server.exitCode === null && server.signalCode === null;
      const ended = isRunning ? once(server, 'exit') : undefined;
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(server: ChildProcess, port: number, said: () => string): Promise<void> {
  const giveUpAt = performance.now() + SAFETY_NET_MS;
  for (;;) {
    const client = createClient({
      socket: {
        host: '127.0.0.1',
        port,
        reconnectStrategy: false,
        connectTimeout: SAFETY_NET_MS,
      },
    });
    client.on('error', () => {});
    try {
      await client.connect();
      client.destroy();
      return;
    } catch (error) {
      // With a password it answers by refusing.
      if (/NOAUTH|WRONGPASS/.test(String(error))) return;
      if (server.exitCode !== null || performance.now() > giveUpAt) {
        server.kill('SIGKILL');
        throw new Error(`Redis did not start: ${said()}`, { cause: error });
      }
    }
    await sleep(20);
  }
}
