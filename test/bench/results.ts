import type { Line, Result } from '../../bench/result.ts';

/** A result of the benchmark with these rows. */
export function resultOf(lines: Line[]): Result {
  return {
    version: '9.9.9',
    at: '2026-01-20T14:05:09Z',
    machine: 'a machine',
    databases: [],
    load: { connections: 1, rounds: 1, seconds: 1 },
    lines,
    figures: [],
    parts: [],
    failures: [],
  };
}
