import { randomUUID } from 'node:crypto';
import type { Transaction } from './database.ts';
import { query } from './statements/query.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/** How long a commit proves that changes can be stored. */
const PROOF_LASTS_MS = 5_000;
/** How often to try again after a change was refused. */
const TRY_EVERY_MS = 1_000;
/** `/readyz` waits this long for a probe: one that waits for another process has not failed until it is refused. */
const ANSWER_WITHIN_MS = 1_000;
/** The size of the row after a refusal: as much as a request with its events needs, more than one free page. */
const SPACE_BYTES = 64 * 1024;

const insert = query<{ name: string; holder: string }>((db, p) =>
  db.insertInto('leases').values({ name: p.name, holder: p.holder, until: 0 }),
);
const remove = query<{ name: string }>((db, p) =>
  db.deleteFrom('leases').where('name', '=', p.name),
);

type RunTransaction = (work: (tx: Transaction) => Promise<void>) => Promise<void>;

/**
 * Whether changes can be stored, for `/readyz`. Reads prove nothing: they work on a full disk and on a
 * read-only file system. Commits of requests and jobs are the proof; without a recent one,
 * a row is inserted and deleted in one transaction, which leaves nothing behind. After a change was refused,
 * that row is large: a small one may fit into the last free page.
 */
export class WriteProbe {
  readonly #transaction: RunTransaction;
  readonly #name = `readiness ${randomUUID()}`;
  #refusal: Error | undefined;
  #provenMs = -Infinity;
  #triedMs = -Infinity;
  #running: Promise<void> | undefined;

  constructor(transaction: RunTransaction) {
    this.#transaction = transaction;
  }

  /** A transaction was committed. After a refusal only the probe's own commit is proof. */
  noteCommit(): void {
    if (this.#refusal === undefined) this.#provenMs = performance.now();
  }

  noteRefusal(error: unknown): void {
    if (error instanceof DatabaseUnavailable) this.#refusal ??= error;
  }

  /** Throws the reason when changes cannot be stored. */
  async prove(): Promise<void> {
    const nowMs = performance.now();
    const lastMs = this.#refusal === undefined ? this.#provenMs : this.#triedMs;
    const isRecent = nowMs - lastMs < (this.#refusal === undefined ? PROOF_LASTS_MS : TRY_EVERY_MS);
    if (!isRecent) {
      this.#running ??= this.#try().finally(() => (this.#running = undefined));
      await withinTime(this.#running);
    }
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  async #try(): Promise<void> {
    const holder = this.#refusal === undefined ? 'probe' : 'x'.repeat(SPACE_BYTES);
    const row = { name: this.#name, holder };
    try {
      await this.#transaction(async (tx) => {
        await tx.run(insert, row);
        await tx.run(remove, row);
      });
      this.#refusal = undefined;
      this.#provenMs = performance.now();
    } catch (error) {
      // Transactions reject with errors only.
      this.#refusal = error as Error;
    }
    this.#triedMs = performance.now();
  }
}

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ANSWER_WITHIN_MS)));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
