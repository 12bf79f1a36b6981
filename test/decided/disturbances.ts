import { fc } from '../support/seeded-random.ts';
import {
  content,
  counting,
  ORDERS_MAX,
  unpaid,
  type Content,
  type Status,
  type Version,
} from './history.ts';

/** A version that must change nothing, and the place in the history before which it is sent. */
export interface Disturbance {
  before: number;
  order: number;
  content: Content;
  status: Status;
  /** Of an order that counts already: an older version, or the last one again. */
  isOutdated: boolean;
}

const statuses = fc.constantFrom<Status>(...unpaid, ...counting, 'refunded');

/** Of orders of the history, and of up to two that never count. */
export const disturbances: fc.Arbitrary<Disturbance[]> = fc.array(
  fc.record({
    before: fc.nat(20),
    order: fc.nat(ORDERS_MAX + 1),
    content,
    status: statuses,
    isOutdated: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

export interface Sent extends Version {
  /** Minutes by which the store changed it; null if the store does not say. */
  modified: number | null;
}

export function sentOf(versions: readonly Version[], says: boolean): Sent[] {
  return versions.map((version, i) => ({ ...version, modified: says ? 10 * (i + 1) : null }));
}

/**
 * The history with unpaid versions before an order counts for the first time, and afterwards repeated ones and, if the
 * store says when it changed an order, outdated ones.
 */
export function disturbed(
  versions: readonly Version[],
  all: readonly Disturbance[],
  says: boolean,
): Sent[] {
  const orders = 1 + Math.max(...versions.map(({ order }) => order));
  const last = new Map<number, Sent>();
  const sent: Sent[] = [];
  for (let i = 0; i <= versions.length; i++) {
    for (const { before, status, isOutdated, ...said } of all) {
      if (before % (versions.length + 1) !== i) continue;
      const order = said.order % (orders + 2);
      const known = last.get(order);
      const isUnpaid = unpaid.some((name) => name === status);
      if (!known) {
        const early: Status = isUnpaid ? status : 'pending';
        const modified = says ? 10 * i + 1 : null;
        sent.push({ order, content: said.content, status: early, refunded: 0, modified });
      } else if (says && isOutdated) {
        const refunded = 0;
        sent.push({
          order,
          content: said.content,
          status,
          refunded,
          modified: known.modified! - 5,
        });
      } else {
        sent.push(known);
      }
    }
    if (i === versions.length) break;
    const version = { ...versions[i]!, modified: says ? 10 * (i + 1) : null };
    last.set(version.order, version);
    sent.push(version);
  }
  return sent;
}
