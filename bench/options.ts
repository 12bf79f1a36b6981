import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '64' },
    /** Only what has this in its name. */
    only: { type: 'string' },
    /** Also with ten million orders: making them takes a while, once. */
    full: { type: 'boolean', default: false },
    /** Other sizes, from small to large: `10000,500000`. */
    orders: { type: 'string' },
    /** Writes CPU profiles of the service into this folder. */
    profile: { type: 'string' },
  },
});

export const options = {
  rounds: Number(values.rounds),
  ms: Number(values.seconds) * 1000,
  connections: Number(values.connections),
  profile: values.profile,
  /** How many orders the stores have, from small to large. */
  sizes:
    values.orders?.split(',').map(Number) ??
    (values.full ? [10_000, 1_000_000, 10_000_000] : [10_000, 1_000_000]),
};

export function isWanted(name: string): boolean {
  return values.only === undefined || name.includes(values.only);
}
