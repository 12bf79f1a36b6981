import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Recorded } from './recorded.ts';

/** Distributions install programs here that are not on the PATH. */
const VERSIONS = '/usr/lib/postgresql';

export function findPgbench(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort().toReversed() : [];
  const folders = [...onPath, ...versions.map((version) => join(VERSIONS, version, 'bin'))];
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file));
}

export interface Script {
  text: string;
  variables: Record<string, string>;
}

/**
 * Writes the statements as a pgbench script. All values are constant except `item`, which becomes
 * the variable `:item`, also inside of strings.
 */
export function scriptOf(statements: Recorded, item: number, before: string[] = []): Script {
  const variables: Record<string, string> = {};
  const define = (value: string) => {
    // A variable cannot be empty.
    if (value === '') return "''";
    const name = `v${Object.keys(variables).length}`;
    variables[name] = value;
    return `:${name}`;
  };
  const place = (value: unknown) => {
    if (value === null) return 'null';
    if (value === item) return ':item';
    const text = String(value);
    const [head, ...rest] = text.split(new RegExp(`\\b${item}\\b`));
    if (typeof value !== 'string' || rest.length === 0) return define(text);
    const parts = [head!, ...rest].map((part) => `${define(part)}::text`);
    return `(${parts.join(' || :item::text || ')})`;
  };
  const lines = statements.map(({ sql, values }) => {
    const text = sql.replaceAll(/\$(\d+)/g, (_, n) => place(values[Number(n) - 1]));
    return `${text.replaceAll(/\s+/g, ' ')};`;
  });
  return { text: [...before, ...lines].join('\n'), variables };
}

interface Run {
  databaseUrl: string;
  script: Script;
  clients: number;
  /** Limited by time, or by transactions per client. */
  seconds?: number;
  transactions?: number;
}

/** Transactions per second. */
export async function pgbench(program: string, run: Run): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  try {
    const file = join(folder, 'script.sql');
    writeFileSync(file, run.script.text);
    const defined = Object.entries(run.script.variables).flatMap(([k, v]) => ['-D', `${k}=${v}`]);
    const long = run.seconds ? ['-T', String(run.seconds)] : ['-t', String(run.transactions)];
    const clients = ['-c', String(run.clients), '-j', '1'];
    const how = ['-n', '-M', 'prepared', '-f', file, ...clients, ...long, ...defined];
    const child = spawn(program, [...how, run.databaseUrl], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let complained = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    const tps = /tps = ([\d.]+)/.exec(said)?.[1];
    if (code !== 0 || tps === undefined) throw new Error(`pgbench failed: ${complained}`);
    return Number(tps);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
