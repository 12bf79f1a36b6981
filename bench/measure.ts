import { load, repeated, type LoadResult } from './load.ts';
import { options } from './options.ts';
import { get, requestBytes } from './request.ts';
import { cpuMs, startFloor, type Running } from './service.ts';

/** One line of the table. */
export interface Line {
  name: string;
  perSecond: number;
  floor: number;
  p50Ms?: number;
  p99Ms?: number;
  /** CPU of the service for one request. */
  cpuUs?: number;
  /** CPU of the floor against it: steadier than the ratio where others use the machine too. */
  cpuRatio?: number;
  /** The ratio it should reach. */
  target?: number;
}

type Round = LoadResult & { cpuUs: number };

/** A GET against a bare server that answers the same bytes, in turns. */
export async function measureRead(
  name: string,
  service: Running,
  token: string,
  path: string,
  target?: number,
): Promise<Line> {
  const answer = await get(service.port, token, path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  const floor = await startFloor(answer);
  const request = requestBytes(token, 'GET', path);
  const ofService: Round[] = [];
  const ofFloor: Round[] = [];
  // The first round warms up and is not counted.
  for (let i = 0; i <= options.rounds; i++) {
    const [s, f] = [await measureRound(service, request), await measureRound(floor, request)];
    if (i === 0) continue;
    ofService.push(s);
    ofFloor.push(f);
  }
  await floor.stop();
  const cpuUs = medianOf(ofService, 'cpuUs');
  return {
    name,
    perSecond: medianOf(ofService, 'perSecond'),
    floor: medianOf(ofFloor, 'perSecond'),
    p50Ms: medianOf(ofService, 'p50Ms'),
    p99Ms: medianOf(ofService, 'p99Ms'),
    cpuUs,
    cpuRatio: medianOf(ofFloor, 'cpuUs') / cpuUs,
    ...(target !== undefined && { target }),
  };
}

async function measureRound(running: Running, request: Buffer): Promise<Round> {
  const before = cpuMs(running.pid);
  const result = await load(running.port, repeated(request, options.ms), options.connections);
  return { ...result, cpuUs: ((cpuMs(running.pid) - before) * 1000) / result.requests };
}

function medianOf(rounds: Round[], name: keyof Round): number {
  return median(rounds.map((round) => round[name]));
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

const columns = [
  '',
  'a second',
  'floor',
  'ratio',
  'target',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'by CPU',
];

export function printHead(title: string): void {
  console.log(`\n${title}\n`);
  console.log(row(columns));
}

export function print(line: Line): void {
  const digits = (n: number | undefined, places: number) => n?.toFixed(places) ?? '';
  console.log(
    row([
      line.name,
      digits(line.perSecond, 0),
      digits(line.floor, 0),
      (line.perSecond / line.floor).toFixed(2),
      digits(line.target, 2),
      digits(line.p50Ms, 2),
      digits(line.p99Ms, 2),
      digits(line.cpuUs, 0),
      digits(line.cpuRatio, 2),
    ]),
  );
}

export function row(cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(40) : cell.padStart(10))).join('');
}
