import assert from 'node:assert/strict';
import { LEASE_MS } from '../../src/modules/mail/send-mails.ts';
import { eventually } from '../support/eventually.ts';
import type { MailReceiver } from '../support/mail-receiver.ts';
import type { Cluster } from './cluster.ts';

interface Mail {
  id: string;
  to_address: string;
  attempts: string;
  state: string;
}

/** Kills the instance that sends mails, and records which mails it was sending. */
export class MailTrouble {
  /** The mails that a killed instance had taken and not marked as sent. */
  readonly interrupted = new Set<number>();
  readonly #cluster: Cluster;
  readonly #receiver: MailReceiver;
  readonly #starting: Promise<void>[] = [];
  #killedAt = 0;

  constructor(cluster: Cluster, receiver: MailReceiver) {
    this.#cluster = cluster;
    this.#receiver = receiver;
  }

  /** `unanswered`: while mails are with the server and it has not said so. */
  async killSender({ unanswered }: { unanswered: boolean }): Promise<void> {
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    if (unanswered) this.#receiver.silence = promise;
    const enough = this.#receiver.received.length + (unanswered ? 1 : 8);
    await eventually(() => assert.ok(this.#receiver.received.length >= enough));
    // A mail may have come from one that is dead; then the next one takes its lease.
    const index = await eventually(() => this.#cluster.workerOf('mail.send'));
    await this.#cluster.kill(index);
    this.#receiver.silence = undefined;
    answer();
    this.#killedAt = Date.now();
    await this.#endClaimsOfTheDead();
    await this.#cluster.endLeasesOfTheDead();
    this.#starting.push(this.#cluster.start(index));
  }

  /** All that are in the outbox, once they are sent. */
  async everyMail(): Promise<Mail[]> {
    await Promise.all(this.#starting);
    return eventually(async () => {
      await this.#endClaimsOfTheDead();
      const mails = await this.#cluster.rows<Mail>('select * from outbox');
      const waiting = mails.filter(({ state }) => state !== 'sent');
      assert.deepEqual(waiting, []);
      return mails;
    });
  }

  /** Ends the claims from before the last kill, when no other instance had the job. */
  async #endClaimsOfTheDead(): Promise<void> {
    const claimed = await this.#cluster.rows(
      `update outbox set next_attempt_at = 0 where state = 'pending' and attempts > 0
        and next_attempt_at <= ${this.#killedAt + LEASE_MS} returning id`,
    );
    for (const { id } of claimed) this.interrupted.add(Number(id));
  }
}

/** How often each mail has come, by its number in the outbox; one Message-ID belongs to one mail. */
export function arrivals({ received }: MailReceiver): Map<number, number> {
  const ids = Map.groupBy(received, ({ parsed }) => parsed.messageId!);
  const counts = new Map(
    [...ids].map(([id, all]) => [Number(/^<outbox\.(\d+)\./.exec(id)![1]), all.length]),
  );
  assert.equal(counts.size, ids.size, 'the same Message-ID each time');
  return counts;
}
