import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '64' },
    /** Which of the two: `sqlite`, `postgres`, or both. */
    databases: { type: 'string', default: 'sqlite,postgres' },
    /** Runs only measurements whose name contains this. */
    only: { type: 'string' },
    /** Adds ten million orders, which take a while to create the first time. */
    full: { type: 'boolean', default: false },
    /** Sizes in ascending order: `10000,500000`. */
    orders: { type: 'string' },
    /** Loads any number of orders into PostgreSQL, without the limit on time. */
    'load-all': { type: 'boolean', default: false },
    /** Writes CPU profiles of the service into this folder. */
    profile: { type: 'string' },
    /** Writes the whole result into this file. */
    json: { type: 'string' },
    /** Compares with an earlier run, read from its file. */
    compare: { type: 'string' },
  },
});

export const options = {
  rounds: Number(values.rounds),
  ms: Number(values.seconds) * 1000,
  connections: Number(values.connections),
  databases: values.databases.split(','),
  loadsAll: values['load-all'],
  profile: values.profile,
  json: values.json,
  compare: values.compare,
  /** Numbers of orders of the stores, in ascending order. */
  sizes:
    values.orders?.split(',').map(Number) ??
    (values.full ? [10_000, 1_000_000, 10_000_000] : [10_000, 1_000_000]),
};

export function isWanted(name: string): boolean {
  return values.only === undefined || name.includes(values.only);
}
