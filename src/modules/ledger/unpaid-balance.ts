/** An order by its id, or another entry of the ledger. */
type Source = number | string;

/** What an account had before its first entry that is played. */
const BEFORE = 'before';

interface Part<S> {
  readonly payoutId: number;
  readonly source: S;
  /** Minor units; below zero if the payout made up for something that was taken back. */
  readonly amount: number;
}

/**
 * What an unpaid balance consists of. A payout takes amounts, first in, first out: first it makes up for what was taken
 * back after it had been paid out, then it takes what came first, as far as it goes. When it is cancelled or fails,
 * everything is where it was. It may be opened again later, and takes its amount of what is there then.
 */
export class UnpaidBalance {
  /** What of each source is unpaid: never zero; below zero after it was paid out and taken back. */
  readonly #unpaid = new Map<Source, number>();
  /** Sources keep the place of their first entry. */
  readonly #places = new Map<Source, number>([[BEFORE, 0]]);
  readonly #payouts = new Map<number, Map<Source, number>>();

  /** Says what was there before the first entry, whatever it came from. */
  begin(amount: number): void {
    this.add(BEFORE, amount);
  }

  add(source: Source, amount: number): void {
    if (!this.#places.has(source)) this.#places.set(source, this.#places.size);
    const unpaid = (this.#unpaid.get(source) ?? 0) + amount;
    if (unpaid === 0) this.#unpaid.delete(source);
    else this.#unpaid.set(source, unpaid);
  }

  take(payoutId: number, amount: number): void {
    this.#payouts.set(payoutId, this.#take(amount));
  }

  /** What is left of each source, once what is owed was made up for. */
  left(): ReadonlyMap<Source, number> {
    this.#take(0);
    return this.#unpaid;
  }

  #take(amount: number): Map<Source, number> {
    const taken = new Map<Source, number>();
    const owed = [...this.#unpaid].filter(([, unpaid]) => unpaid < 0);
    const there = [...this.#unpaid].filter(([, unpaid]) => unpaid > 0);
    let rest = amount;
    for (const [source, unpaid] of owed) {
      taken.set(source, unpaid);
      rest -= unpaid;
    }
    there.sort(([a], [b]) => this.#places.get(a)! - this.#places.get(b)!);
    for (const [source, unpaid] of there) {
      if (rest === 0) break;
      const part = Math.min(unpaid, rest);
      taken.set(source, part);
      rest -= part;
    }
    for (const [source, part] of taken) this.add(source, -part);
    return taken;
  }

  giveBack(payoutId: number, amount: number): void {
    const taken = this.#payouts.get(payoutId);
    this.#payouts.delete(payoutId);
    if (!taken) this.add(BEFORE, amount);
    for (const [source, part] of taken ?? []) this.add(source, part);
  }

  /** What payouts have of some sources. */
  takenOf<S extends Source>(sources: ReadonlySet<S>): Part<S>[] {
    return [...this.#payouts].flatMap(([payoutId, taken]) =>
      [...taken].flatMap(([source, amount]) =>
        // What is in the set has the type of the set.
        sources.has(source as S) ? [{ payoutId, source: source as S, amount }] : [],
      ),
    );
  }
}
