import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { openTestApp } from '../support/harness.ts';
import { parseCompose, root } from './compose-file.ts';

// The scripts of the containers' healthchecks, run as Docker runs them against a running service.

const app = await openTestApp();
const { port } = new URL(app.url);

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const inImage = JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[];
const [kind, ...inCompose] = parseCompose().services['tributary-1']!.healthcheck!.test as string[];

/** The exit code of a healthcheck, with another port in place of the container's own. */
async function exitCode(words: string[], portToAsk: string): Promise<number> {
  const [node, ...rest] = words.map((word) => word.replace(':8443/', `:${portToAsk}/`));
  assert.equal(node, 'node');
  const child = spawn(process.execPath, rest, {
    env: { ...process.env, TRIBUTARY_TLS: 'off', TRIBUTARY_PORT: portToAsk },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

describe('healthchecks', () => {
  test('the one of the compose file is a command, not a line for a shell', () => {
    assert.equal(kind, 'CMD');
  });

  for (const [name, words] of Object.entries({ compose: inCompose, image: inImage })) {
    test(`${name}: 0 while the service is ready`, async () => {
      assert.equal(await exitCode(words, port), 0);
    });

    test(`${name}: 1 where nothing listens`, async () => {
      assert.equal(await exitCode(words, String(await freePort())), 1);
    });
  }

  test('compose: 1 while the service says that it is not ready', async (t) => {
    t.mock.method(app.site.worker, 'isAlive', () => false);
    assert.equal((await app.call('~/readyz')).status, 503);
    assert.equal(await exitCode(inCompose, port), 1);
    assert.equal(await exitCode(inImage, port), 0, 'alive all the same');
  });
});
