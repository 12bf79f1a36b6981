import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { inTheEnd, tempFolder } from '../process/launch.ts';

const run = promisify(execFile);
export const sdk = join(import.meta.dirname, '../../sdk');

/** A folder of a user of the client: the packed client is installed and the examples are there. */
export async function installClient(): Promise<{ folder: string; tarball: string }> {
  const folder = tempFolder();
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: sdk });
  const { stdout } = await inTheEnd(packed, 'npm pack');
  const tarball = join(folder, stdout.trim().split('\n').at(-1)!);
  const target = join(folder, 'node_modules/tributary-client');
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  cpSync(join(sdk, 'examples'), folder, { recursive: true });
  return { folder, tarball };
}

/** A proxy that says that it ended HTTPS, for programs that cannot add its header themselves. */
export async function startSecureProxy(serviceUrl: string): Promise<string> {
  const { port } = new URL(serviceUrl);
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const passed = { ...headers, 'x-forwarded-proto': 'https' };
    const target = { host: '127.0.0.1', port, method, path, headers: passed };
    const forward = send(target, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    forward.on('error', () => response.destroy());
    request.pipe(forward);
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
