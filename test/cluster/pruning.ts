import assert from 'node:assert/strict';
import pg from 'pg';
import { loadEdition } from '../../src/edition-pro.ts';
import { pruneResponses } from '../../src/modules/idempotency/response-rows.ts';
import { pruneOutbox } from '../../src/modules/mail/outbox-rows.ts';
import { pruneSessions } from '../../src/modules/sessions/session.ts';
import { LATE_MS } from '../../src/worker/claim.ts';
import type { Cluster } from './cluster.ts';

const ofAddons = (await loadEdition('pro'))
  .flatMap((module) => module.jobs ?? [])
  .filter(({ name }) => name === 'webhooks.prune');
const jobs = [pruneOutbox, pruneSessions, pruneResponses, ...ofAddons];
const DAY_MS = 24 * 60 * 60_000;
const EACH = 50;
const TRIES_MAX = 100;

/** Where what is due tells itself from what is to stay. */
const marks: Record<string, string> = {
  outbox: 'key',
  sessions: 'token_hash',
  idempotency_keys: 'key',
  webhook_deliveries: 'error',
};

export type Kind = 'due' | 'kept';

/** Rows of every kind that is pruned, some of them due. */
export class PrunedRows {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /**
   * Inserts the rows and locks one of each kind: the pruning instance waits for it. If an instance has
   * started in between, everything is done again.
   */
  async writeHeld(): Promise<() => Promise<void>> {
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      await this.#write();
      const letGo = await this.#hold();
      const [due, kept] = [await this.count('due'), await this.count('kept')];
      const areThere =
        [due['outbox'], due['sessions'], due['idempotency_keys']].every((n) => n === EACH) &&
        due['webhook_deliveries'] === 2 * kept['webhook_deliveries']!;
      if (areThere) return letGo;
      await letGo();
    }
    throw new Error('The rows were removed each time before they were locked.');
  }

  async #write(): Promise<void> {
    for (const [table, mark] of Object.entries(marks)) {
      await this.#cluster.rows(
        `delete from ${table} where ${mark} like 'due %' or ${mark} like 'kept %'`,
      );
    }
    const young = Date.now() - DAY_MS / 24;
    const old = Date.now() - 1_000 * DAY_MS;
    await this.#writeEach('due', old);
    await this.#writeEach('kept', young);
    await this.#writeDeliveries('due', 'disabled', old);
    await this.#writeDeliveries('due', 'deleted', young);
    await this.#writeDeliveries('kept', 'disabled', young);
  }

  async count(kind: Kind): Promise<Record<string, number>> {
    const counts = Object.entries(marks).map(async ([table, mark]) => {
      const counting = `select count(*)::int as n from ${table} where ${mark} like '${kind} %'`;
      const [row] = await this.#cluster.rows<{ n: number }>(counting);
      return [table, row!.n] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  async #hold(): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: this.#cluster.databaseUrl });
    await client.connect();
    await client.query('begin');
    for (const [table, mark] of Object.entries(marks)) {
      await client.query(`select from ${table} where ${mark} like 'due %' limit 1 for update`);
    }
    return () => client.end();
  }

  async #writeEach(kind: Kind, at: number): Promise<void> {
    const rows = `from generate_series(1, ${EACH}) as n`;
    for (const insert of [
      `into sessions (token_hash, user_id, created_at, seen_at)
        select '${kind} ' || n, (select min(id) from users), ${at}, ${at} ${rows}`,
      `into idempotency_keys (identity, key, request_hash, status, headers, body, created_at, expires_at)
        select 'test', '${kind} ' || n, '', 200, '', '', ${at}, ${at + DAY_MS} ${rows}`,
      `into outbox (template, to_address, to_name, subject, text, html, key, state,
          next_attempt_at, created_at, sent_at)
        select 'test', 'a@test.example', '', '', '', '', '${kind} ' || n, 'sent', ${at}, ${at}, ${at} ${rows}`,
      // One that could not be sent stays, however old.
      `into outbox (template, to_address, to_name, subject, text, html, key, state,
          next_attempt_at, created_at)
        values ('test', 'a@test.example', '', '', '', '', 'kept of ${kind}', 'failed', ${at}, ${at})`,
    ]) {
      await this.#cluster.rows(`insert ${insert}`);
    }
  }

  async #writeDeliveries(kind: Kind, status: string, at: number): Promise<void> {
    await this.#cluster.rows(
      `with hook as (
        insert into webhooks (name, url, secret, events, status, from_event, created_at)
        values ('', 'http://127.0.0.1:1/', '', '[]', '${status}', 0, ${at}) returning id)
      insert into webhook_deliveries (webhook_id, event_id, event, state, error, queued_at)
      select hook.id, events.id, '', 'delivered', '${kind} ' || events.id, ${at}
        from hook, (select id from events limit ${EACH}) as events`,
    );
  }
}

/** How many statements wait for a locked row. */
export async function waitingStatements(cluster: Cluster): Promise<number> {
  const [row] = await cluster.rows<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.n;
}

/** The instances that prune. */
export async function pruners(cluster: Cluster): Promise<Set<number>> {
  return new Set(await Promise.all(jobs.map(({ name }) => cluster.workerOf(name))));
}

/** Asserts that no lease of a dead instance lasts longer than until the next run plus half a minute. */
export async function assertLeasesEnd(cluster: Cluster): Promise<void> {
  for (const { name, everyMs } of jobs) {
    const [lease] = await cluster.rows(`select until from leases where name = '${name}'`);
    assert.ok(Number(lease!['until']) <= Date.now() + everyMs + LATE_MS, name);
  }
}
