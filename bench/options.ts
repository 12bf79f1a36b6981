import { parseArgs } from 'node:util';
import { VERSION } from '../src/shared/version.ts';

const { values } = parseArgs({
  args: withDefaults({ '--compare': 'newest', '--baseline': VERSION }),
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string' },
    /** Which of the two: `sqlite`, `postgres`, or both. */
    databases: { type: 'string', default: 'sqlite,postgres' },
    /** Runs only measurements whose name contains this. */
    only: { type: 'string' },
    /** Runs every part with tiny data within seconds, to show that it works. */
    smoke: { type: 'boolean', default: false },
    /** A part that has not ended by then fails, and no other is begun. */
    minutes: { type: 'string', default: '60' },
    /** Adds ten million orders, which take a while to create the first time. */
    full: { type: 'boolean', default: false },
    /** Sizes in ascending order: `10000,500000`. */
    orders: { type: 'string' },
    /** Loads any number of orders into PostgreSQL, without the limit on time. */
    'load-all': { type: 'boolean', default: false },
    /** Writes CPU profiles of the service into this folder. */
    profile: { type: 'string' },
    /** Writes the result into this file, after each part. */
    json: { type: 'string', default: 'node_modules/.cache/bench-result.json' },
    /** Compares with the newest baseline, or with the result or baseline in this file. */
    compare: { type: 'string' },
    /** Writes the baseline of this version, or of another one that is named. */
    baseline: { type: 'string' },
  },
});

/** The values of options that may be given without one, which `parseArgs` does not know. */
function withDefaults(defaults: Record<string, string>): string[] {
  const given = process.argv.slice(2);
  return given.map((argument, i) => {
    const value = defaults[argument];
    const hasValue = given[i + 1] !== undefined && !given[i + 1]!.startsWith('--');
    return value === undefined || hasValue ? argument : `${argument}=${value}`;
  });
}

const { smoke } = values;

export const options = {
  smoke,
  rounds: Number(values.rounds ?? (smoke ? 1 : 3)),
  ms: Number(values.seconds ?? (smoke ? 0.005 : 1)) * 1000,
  connections: Number(values.connections ?? (smoke ? 4 : 64)),
  databases: values.databases.split(','),
  minutes: Number(values.minutes),
  loadsAll: values['load-all'],
  profile: values.profile,
  json: values.json,
  compare: values.compare,
  baseline: values.baseline,
  /** Numbers of orders of the stores, in ascending order. */
  sizes: values.orders?.split(',').map(Number) ?? defaultSizes(),
};

function defaultSizes(): number[] {
  if (smoke) return [100, 200];
  return values.full ? [10_000, 1_000_000, 10_000_000] : [10_000, 1_000_000];
}

if (options.baseline !== undefined && (smoke || values.only !== undefined)) {
  throw new Error('A baseline has all rows at their usual sizes: not with --smoke or --only.');
}

export function isWanted(name: string): boolean {
  return values.only === undefined || name.includes(values.only);
}
