import { load, repeated, type LoadResult } from './load.ts';
import { options } from './options.ts';
import { cpuMs } from './processes.ts';
import type { Running } from './service.ts';

/** The result of one round. CPU is per request, in the process that responds. */
export interface Round extends Partial<Omit<LoadResult, 'perSecond'>> {
  perSecond: number;
  cpuUs?: number;
  /** CPU of the database server per request, if it is a separate process. */
  serverCpuUs?: number;
}

export type Contestant = (round: number) => Promise<Round>;

/** Runs all of them in alternation. The first round warms up; the medians of the others count. */
export async function inTurns<K extends string>(
  contestants: Readonly<Record<K, Contestant>>,
): Promise<Record<K, Round>> {
  const names = Object.keys(contestants) as K[];
  const rounds = new Map<K, Round[]>(names.map((name) => [name, []]));
  for (let i = 0; i <= options.rounds; i++) {
    for (const name of names) {
      const round = await contestants[name](i);
      if (i > 0) rounds.get(name)!.push(round);
    }
  }
  const medians = names.map((name) => [name, mediansOf(rounds.get(name)!)]);
  // The type of fromEntries loses the names; every name is present.
  return Object.fromEntries(medians) as Record<K, Round>;
}

function mediansOf(rounds: readonly Round[]): Round {
  const names = Object.keys(rounds[0]!) as (keyof Round)[];
  const medians = names.map((name) => [name, median(rounds.map((round) => round[name]!))]);
  return Object.fromEntries(medians) as Round;
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

/** Repeats the same requests. */
export function requesting(running: Running, requests: readonly Buffer[]): Promise<LoadResult> {
  return load(running.port, repeated(requests, options.ms), options.connections);
}

/** Runs a load and measures the CPU per request. */
export async function withCpu(
  pid: number,
  serverCpuMs: () => number,
  work: () => Promise<LoadResult>,
): Promise<Round> {
  const [before, serverBefore] = [cpuMs(pid), serverCpuMs()];
  const result = await work();
  const us = (ms: number) => (ms * 1000) / result.requests;
  return {
    ...result,
    cpuUs: us(cpuMs(pid) - before),
    serverCpuUs: us(serverCpuMs() - serverBefore),
  };
}
