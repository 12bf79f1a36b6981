import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { HttpServer } from '../http/server.ts';
import type { Config } from './config.ts';
import type { DataFolder } from './data-folder.ts';

// A server writes its address into the data folder, so that commands print the port it listens on.

export function writeServerAddress({ addressFile }: DataFolder, url: string): void {
  writeFileSync(addressFile, `${url}\n`, { mode: 0o600 });
}

/** Empty if no server has written one. */
export function readServerAddress({ addressFile }: DataFolder): string {
  try {
    return readFileSync(addressFile, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Keeps the address of another instance that shares the folder. */
export function removeServerAddress(folder: DataFolder, url: string): void {
  if (readServerAddress(folder) === url) rmSync(folder.addressFile, { force: true });
}

export function portOf(server: HttpServer): number {
  const address = server.fastify.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The address on this machine, used if no public address is configured. */
export function defaultUrl(config: Config, port: number): string {
  const everywhere = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(config.host);
  const host = everywhere
    ? 'localhost'
    : config.host.includes(':')
      ? `[${config.host}]`
      : config.host;
  const scheme = config.tls === 'off' ? 'http' : 'https';
  return `${scheme}://${host}:${port}`;
}
