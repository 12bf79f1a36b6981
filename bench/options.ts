import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '64' },
    /** Which of the two: `sqlite`, `postgres`, or both. */
    databases: { type: 'string', default: 'sqlite,postgres' },
    /** Only what has this in its name. */
    only: { type: 'string' },
    /** Also with ten million orders: making them takes a while, once. */
    full: { type: 'boolean', default: false },
    /** Other sizes, from small to large: `10000,500000`. */
    orders: { type: 'string' },
    /** Loads any number of orders into PostgreSQL, however long that takes. */
    'load-all': { type: 'boolean', default: false },
    /** Writes CPU profiles of the service into this folder. */
    profile: { type: 'string' },
    /** Writes the whole result into this file. */
    json: { type: 'string' },
    /** Shows figures of an earlier run, from its file, beside those of this one. */
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
  /** How many orders the stores have, from small to large. */
  sizes:
    values.orders?.split(',').map(Number) ??
    (values.full ? [10_000, 1_000_000, 10_000_000] : [10_000, 1_000_000]),
};

export function isWanted(name: string): boolean {
  return values.only === undefined || name.includes(values.only);
}
