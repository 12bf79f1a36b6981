import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Server } from './running-server.ts';

const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

/** Runs a printed curl line in the shell. Without curl, sends the same request itself. */
export async function paste(
  line: string,
  server: Server,
): Promise<{ status: number; text: string }> {
  if (hasCurl) {
    const command = `${line} -s -w '\\n%{http_code}'`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const end = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) };
  }
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${line}`]);
  const words = stdout.trimEnd().split('\n');
  const wordsAfter = (flag: string) => words.filter((_, i) => words[i - 1] === flag);
  for (const file of wordsAfter('--cacert')) assert.equal(readFileSync(file, 'utf8'), server.ca);
  const url = new URL(words.find((word) => /^https?:/.test(word))!);
  assert.equal(url.origin, server.url);
  const headers = wordsAfter('-H').map((header) => /^([^:]+): (.*)$/.exec(header)!.slice(1));
  const [basic] = wordsAfter('-u');
  const [data] = wordsAfter('-d');
  const [method = data === undefined ? 'GET' : 'POST'] = wordsAfter('-X');
  return server.call(`~${url.pathname}${url.search}`, {
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(basic !== undefined && { basic }),
    ...(data !== undefined && { json: JSON.parse(data) }),
    method,
  });
}
