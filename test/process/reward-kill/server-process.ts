import { pino } from 'pino';
import { openApp, type App } from '../../../src/app.ts';
import { resolveConfig } from '../../../src/installation/config.ts';
import { checkBonuses } from '../../../src/modules/bonuses/check-bonuses.ts';
import { releaseHeld } from '../../../src/modules/orders/index.ts';

// A service whose clock and background jobs are in the hands of the test that started it, and may kill it.

export type Message =
  | { do: 'open'; data: string; databaseUrl: string; nowMs: number }
  | { do: 'clock'; nowMs: number }
  | { do: 'jobs' };

export const ZONE = 'Asia/Kathmandu';

let app: App | undefined;
let clockMs = 0;

async function open({ data, databaseUrl }: Message & { do: 'open' }): Promise<string> {
  const values = { data, databaseUrl, port: '0', tls: 'off', trustedProxies: '127.0.0.1' };
  const { config } = resolveConfig({ ...values, timezone: ZONE }, {});
  const log = pino({ level: 'warn' }, process.stderr);
  app = await openApp({ config, log, clock: () => clockMs, runs: 'at-stop' });
  const { server } = await app.listen();
  const { port } = server.fastify.server.address() as { port: number };
  return `http://127.0.0.1:${port}`;
}

/** Twice at the same time, as by two instances. */
async function runJobs(): Promise<string> {
  const { site } = app!;
  await Promise.all([checkBonuses.run(site), checkBonuses.run(site), releaseHeld.run(site)]);
  // What was released moves no counter, but may be what a bonus waits for.
  await checkBonuses.run(site);
  return 'done';
}

process.on('message', (message: Message) => {
  if ('nowMs' in message) clockMs = message.nowMs;
  const works = { open, clock: async () => 'set', jobs: runJobs };
  // Each gets the message of its name.
  void works[message.do](message as Message & { do: 'open' }).then((answer) =>
    process.send!(answer),
  );
});
