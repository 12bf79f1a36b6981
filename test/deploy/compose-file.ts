import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const root = join(import.meta.dirname, '../..');
export const composeText = readFileSync(join(root, 'compose.cluster.yml'), 'utf8');

export interface Service {
  build?: string | { context: string; dockerfile: string };
  image: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  ports?: string[];
  networks: string[] | Record<string, unknown>;
  volumes?: string[];
  environment: Record<string, unknown>;
  env_file?: { path: string; required: boolean }[];
  privileged?: boolean;
  command?: unknown[];
  healthcheck?: { test: unknown[] };
  depends_on?: Record<string, unknown>;
}

export interface ComposeFile {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
}

/** Parsed as compose does: merge keys are resolved, and a duplicate key is an error. */
export const parseCompose = (
  version: '1.1' | '1.2' = '1.2',
  text: string = composeText,
): ComposeFile =>
  parse(text, { merge: true, strict: true, uniqueKeys: true, version }) as ComposeFile;

/** Replaces variables in every value, as compose does after it has parsed the file. */
export function interpolated<T>(value: T, variables: Record<string, string>): T {
  if (typeof value === 'string') return interpolate(value, variables) as T;
  if (Array.isArray(value)) return value.map((each) => interpolated(each, variables)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    interpolated(each, variables),
  ]);
  return Object.fromEntries(entries) as T;
}

const VARIABLE = /\$(?:\$|(\w+)|\{(\w+)(?:(:?[-?+])([^}]*))?\}|)/g;

/** `$$`, `$X`, `${X}`, and with or without the colon `${X:-default}`, `${X:?message}`, `${X:+other}`. */
export function interpolate(text: string, variables: Record<string, string>): string {
  return text.replaceAll(
    VARIABLE,
    (whole, plain?: string, braced?: string, operator = '', word = '') => {
      if (whole === '$$') return '$';
      const name = plain ?? braced;
      if (name === undefined) throw new Error(`"${text}" has a $ that begins no variable`);
      const value = variables[name];
      const isGiven = value !== undefined && !(operator.startsWith(':') && value === '');
      if (operator.endsWith('+')) return isGiven ? word : '';
      if (isGiven) return value;
      if (operator.endsWith('?')) throw new Error(`${name}: ${word}`);
      return operator.endsWith('-') ? word : '';
    },
  );
}
