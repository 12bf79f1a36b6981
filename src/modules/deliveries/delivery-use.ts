import type { Transaction } from '../../db/database.ts';
import type { Query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import type { SiteClient } from '../../kernel/call/site-client.ts';
import type { CounterMetric } from '../../kernel/declare/metric.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { LimitedLog } from '../../shared/limited-log.ts';
import type { Receiver } from './delivery-columns.ts';
import type { DeliveryRequest, DeliveryResult } from './exchange.ts';
import type { DisableRule } from './health.ts';

/** A delivery that is due, with what its request is made of. */
export interface DueDelivery {
  id: number;
  /** The id of its receiver. */
  receiver: number;
  attempts: number;
  /** Attempts before it was queued again: the retry schedule starts again. */
  attempts_before: number;
}

export interface FinishedAttempt<D extends DueDelivery> {
  delivery: D;
  result: DeliveryResult;
}

/** The tables of one use. All have the columns that the engine names. */
export interface DeliveryTables {
  readonly receivers: keyof Tables;
  readonly deliveries: keyof Tables;
  /** The column of a delivery with the id of its receiver. It leads a partial index of those with a `due_at`. */
  readonly receiverId: string;
  /** The column that orders the deliveries of a receiver; an index has both. */
  readonly position: string;
}

type Facts = Record<string, unknown>;

/** What one use writes to the log: whole sentences, which operators search for. */
export interface DeliveryLog {
  failing(log: LimitedLog, key: string, facts: Facts): void;
  recovered(log: LimitedLog, key: string, facts: Facts): void;
  disabled(log: Site['log'], facts: Facts): void;
  /** A queue ended with an error of our own. */
  interrupted(log: LimitedLog, key: string, facts: Facts): void;
  unrecorded(log: LimitedLog, key: string, facts: Facts): void;
}

/**
 * What one use of the engine adds to it: its tables, what it sends, and what follows. `T` is what requests to one
 * receiver are made with, such as its decrypted secret.
 */
export interface DeliveryUse<R extends Receiver, D extends DueDelivery, T> {
  /** In locks, such as `webhook`. */
  readonly name: string;
  readonly tables: DeliveryTables;
  readonly client: SiteClient;
  /** When a receiver that keeps failing is switched off. */
  readonly disableRule: DisableRule;
  readonly attemptsTotal: CounterMetric<'outcome'>;
  /** Due deliveries of a receiver in the order in which they are sent. */
  readonly due: Query<{ receiver: number; now: number; limit: number }, D>;
  targetOf(site: Site, receiver: R): T;
  requestOf(site: Site, target: T, delivery: D): DeliveryRequest;
  /** Adds to the transaction what else follows from attempts; their receivers are locked and not deleted. */
  recorded(tx: Transaction, site: Site, attempts: readonly FinishedAttempt<D>[]): Promise<void>;
  /** Adds to the transaction what follows when a receiver is switched off. */
  disabled(tx: Transaction, site: Site, receiver: R): Promise<void>;
  /** What identifies a receiver in the log, without the path of its URL, which often contains a token. */
  about(receiver: R): Facts;
  readonly log: DeliveryLog;
}

/** Locks a receiver for changes that depend on what was read. */
export function lockReceiver(
  tx: Transaction,
  { name }: { readonly name: string },
  id: number,
): Promise<void> {
  return tx.lock(`${name} ${id}`);
}
