import type { PendingWrites, Transaction, WriteKind } from './database.ts';

export type { PendingWrites };

/**
 * The order in which a transaction flushes what was added to it. It is also the lock order: on PostgreSQL two
 * transactions that lock the same rows in different orders deadlock, so all of them lock an order first, then
 * the coupons it concerns (`ledger`, by ascending id), then the rows that belong to both. `events` locks nothing and
 * `mails` only the key of a mail. They come before `figures`, whose rows of one day are shared by all orders of
 * that day: the fewer statements follow, the shorter they stay locked.
 */
const flushOrder = [
  'orders',
  'ledger',
  'referrals',
  'events',
  'mails',
  'figures',
  'attribution',
] as const;

export type FlushPosition = (typeof flushOrder)[number];

type Declaration<W> = { readonly create: () => W } & (
  | { readonly name: FlushPosition }
  /** A kind that an add-on declares. It is flushed after the kind that `after` names. */
  | { readonly name: string; readonly after: FlushPosition }
);

const declared = new Set<string>();

/**
 * Declares a kind of writes that belongs to transactions. Throws for a name without a position, so a module
 * whose place in the lock order is undecided stops the start of the service.
 */
export function defineWrites<W extends PendingWrites>(declaration: Declaration<W>): WriteKind<W> {
  const { name, create } = declaration;
  const after = 'after' in declaration ? declaration.after : undefined;
  const index = flushOrder.findIndex((position) => position === (after ?? name));
  if (index === -1) throw new Error(`Writes without a position in the flush order: ${name}`);
  if (declared.has(name)) throw new Error(`Writes declared twice: ${name}`);
  declared.add(name);
  return { name, position: after === undefined ? index : index + 0.5, create };
}

/**
 * What was added to one transaction. The transaction flushes it before it commits, so a caller that adds an
 * event or a ledger line has nothing else to call, and a transaction that rolls back has written none of it.
 */
export class UnitOfWork {
  /** Created by the first addition: most transactions of background jobs and caches add nothing. */
  #pending: Map<WriteKind<PendingWrites>, PendingWrites> | undefined;
  #sealed = false;

  of<W extends PendingWrites>(kind: WriteKind<W>): W {
    if (this.#sealed)
      throw new Error(`This transaction has ended: ${kind.name} were added too late`);
    this.#pending ??= new Map();
    let writes = this.#pending.get(kind);
    if (!writes) this.#pending.set(kind, (writes = kind.create()));
    // Each kind maps to the writes that it created itself, which the type of a map cannot express.
    return writes as W;
  }

  /** Sends everything in the declared order, then whatever a flush has added. */
  async flush(tx: Transaction): Promise<void> {
    while (this.#pending) {
      const kinds = [...this.#pending].sort(([a], [b]) => compare(a, b));
      this.#pending = undefined;
      for (const [, writes] of kinds) if (writes.prepare) await writes.prepare(tx);
      // The flushes run concurrently: awaiting each would cost PostgreSQL a round trip per kind.
      await Promise.all(kinds.map(async ([, writes]) => writes.flush(tx)));
    }
  }

  /** Flushes right before the commit. A later addition would be lost, so `of` then throws. */
  async finish(tx: Transaction): Promise<void> {
    if (this.#pending) await this.flush(tx);
    this.#sealed = true;
  }
}

function compare(a: WriteKind<PendingWrites>, b: WriteKind<PendingWrites>): number {
  return a.position - b.position || (a.name < b.name ? -1 : 1);
}
