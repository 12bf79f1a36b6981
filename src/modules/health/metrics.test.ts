import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { testServer } from '../../../test/postgres/databases.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  idOf,
  openTestApp,
  type TestApp,
  type TestOptions,
} from '../../../test/support/harness.ts';
import { openPayoutApp } from '../../../test/support/payouts.ts';
import type { Reader } from '../../db/database.ts';
import { loadEdition } from '../../edition-pro.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { metricsText } from './collect-metrics.ts';

const proEdition = await loadEdition('pro');

const TOKEN = 'prometheus-scrapes-with-this';
/** Longer than a reading is cached. */
const LATER_MS = 6_000;

const open = (options: TestOptions = {}) =>
  openTestApp({ ...options, config: { metricsToken: TOKEN, ...options.config } });

async function scrape(app: TestApp): Promise<string> {
  const { status, text } = await app.call('~/metrics', {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  assert.equal(status, 200);
  return text;
}

/** The value of a series, as `name` or `name{label="value"}`; undefined if it is absent. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

const execute = (app: TestApp, sql: string) =>
  app.site.database.transaction((tx) => tx.execute(sql));

const mailRow = (key: string, dueMs: number) =>
  `insert into outbox (template, to_address, to_name, subject, text, html, key, state, next_attempt_at, created_at)
   values ('x', 'a@b.example', '', '', '', '', '${key}', 'pending', ${dueMs}, ${dueMs})`;

describe('GET /metrics: the installation', () => {
  test('every declared metric is present, with type and help text', async () => {
    const app = await open();
    const text = await scrape(app);
    const declared = app.site.registry.modules
      .flatMap((module) => module.metrics ?? [])
      .flatMap((source) => source.metrics);
    assert.ok(declared.length > 15);
    for (const { name, type, help } of declared) {
      assert.ok(text.includes(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`), name);
      assert.match(name, type === 'counter' ? /^tributary_\w+_total$/ : /^tributary_\w+$/);
    }
  });

  test('version, edition and database', async () => {
    const app = await open();
    const database = testServer() === undefined ? 'sqlite' : 'postgresql';
    assert.match(
      await scrape(app),
      new RegExp(
        `^tributary_build_info\\{version="\\d+\\.\\d+\\.\\d+",edition="pro",database="${database}"\\} 1$`,
        'm',
      ),
    );
  });

  test('sizes; disk and log only for a database file', async () => {
    const text = await scrape(await open());
    const isFile = testServer() === undefined;
    assert.ok(valueOf(text, 'tributary_database_size_bytes')! >= 4096);
    assert.equal(valueOf(text, 'tributary_disk_free_bytes') !== undefined, isFile);
    assert.equal(valueOf(text, 'tributary_database_wal_bytes') !== undefined, isFile);
  });

  test('days until the served certificate expires; none behind a proxy', async () => {
    const name = 'tributary_certificate_days_left';
    assert.equal(valueOf(await scrape(await open()), name), undefined);
    const { site } = await open({ config: { tls: 'auto' } });
    assert.ok(valueOf(await metricsText(site), name)! >= 396);
  });

  test('the checks of /readyz', async (t) => {
    const app = await open();
    assert.equal(valueOf(await scrape(app), 'tributary_ready{check="worker"}'), 1);
    t.mock.method(app.site.worker, 'isAlive', () => false);
    app.advance(LATER_MS);
    const text = await scrape(app);
    assert.equal(valueOf(text, 'tributary_ready{check="worker"}'), 0);
    assert.equal(valueOf(text, 'tributary_ready{check="database"}'), 1);
  });

  test('runs, failures and the last success of background jobs', async () => {
    const job = (name: string, run: () => Promise<void>) =>
      ({ name, everyMs: 10, runsOn: 'each', run }) as const;
    const extra = defineModule({
      name: 'tried',
      summary: 'Jobs that succeed and fail',
      addon: false,
      jobs: [
        job('tried.good', async () => {}),
        job('tried.bad', () => Promise.reject(new Error('broken'))),
      ],
    });
    const app = await open({ modules: [...proEdition, extra], jobs: 'own' });
    const text = await eventually(async () => {
      app.advance(LATER_MS);
      const now = await scrape(app);
      assert.ok(valueOf(now, 'tributary_job_failures_total{task="tried.bad"}')! > 1);
      assert.ok(valueOf(now, 'tributary_job_runs_total{task="tried.good"}')! > 1);
      return now;
    });
    assert.equal(valueOf(text, 'tributary_job_failures_total{task="tried.good"}'), 0);
    assert.equal(valueOf(text, 'tributary_job_interval_seconds{task="tried.good"}'), 0.01);
    const last = 'tributary_job_last_success_timestamp_seconds';
    assert.ok(valueOf(text, `${last}{task="tried.good"}`)! > 1_700_000_000);
    assert.equal(valueOf(text, `${last}{task="tried.bad"}`), undefined);
  });
});

describe('GET /metrics: backlogs', () => {
  test('mails: the number waiting, and how long the oldest has been due', async () => {
    const config = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'a@store.example' };
    const app = await open({ config });
    assert.equal(valueOf(await scrape(app), 'tributary_mails_waiting'), 0);
    const now = app.site.clock();
    await execute(app, mailRow('late', now - 5 * MINUTE_MS));
    await execute(app, mailRow('later', now + 5 * MINUTE_MS));
    app.advance(LATER_MS);
    const text = await scrape(app);
    assert.equal(valueOf(text, 'tributary_mails_waiting'), 2);
    assert.equal(valueOf(text, 'tributary_mails_oldest_seconds'), 306);
    for (const outcome of ['sent', 'postponed', 'failed']) {
      assert.equal(valueOf(text, `tributary_mails_total{outcome="${outcome}"}`), 0);
    }
  });

  test('mails: without a mail server none is late', async () => {
    const app = await open();
    await execute(app, mailRow('late', 1));
    const text = await scrape(app);
    assert.equal(valueOf(text, 'tributary_mails_waiting'), 1);
    assert.equal(valueOf(text, 'tributary_mails_oldest_seconds'), undefined);
  });

  test('deliveries to webhooks', async () => {
    const app = await open();
    const now = app.site.clock();
    const since = now - MINUTE_MS;
    for (const id of [1, 2]) {
      await execute(
        app,
        `insert into webhooks (id, name, url, secret, events, status, from_event, created_at, failing_since)
         values (${id}, '', 'https://a.example', '', '["*"]', 'active', 0, ${now}, ${id === 1 ? since : 'null'})`,
      );
    }
    const event = await firstEvent(app);
    const delivery = (webhook: number, due: number | null) =>
      `insert into webhook_deliveries (webhook_id, event_id, event, state, due_at, queued_at)
       values (${webhook}, ${event}, 'x', 'pending', ${due}, ${now})`;
    await execute(app, delivery(1, since));
    await execute(app, delivery(2, now + MINUTE_MS));
    const text = await scrape(app);
    assert.equal(valueOf(text, 'tributary_webhook_deliveries_waiting'), 2);
    assert.equal(valueOf(text, 'tributary_webhook_deliveries_oldest_seconds'), 60);
    assert.equal(valueOf(text, 'tributary_webhooks_failing'), 1);
  });

  test('payouts by status, and follow-ups with gateways', async () => {
    const payouts = await openPayoutApp({ config: { metricsToken: TOKEN } });
    const { app } = payouts;
    const { id } = await payouts.payoutAt('pending');
    await payouts.payoutAt('paid');
    const since = app.site.clock() - MINUTE_MS;
    await execute(app, `update payouts set ask_at = ${since}, unclear_since = 1 where id = ${id}`);
    const text = await scrape(app);
    const byStatus = ['pending', 'created', 'paid', 'cancel', 'processing', 'failed'].map(
      (status) => valueOf(text, `tributary_payouts{status="${status}"}`),
    );
    assert.deepEqual(byStatus, [1, 0, 1, 0, 0, 0]);
    assert.equal(valueOf(text, 'tributary_payout_follow_ups_waiting'), 1);
    assert.equal(valueOf(text, 'tributary_payout_follow_ups_oldest_seconds'), 60);
    assert.equal(valueOf(text, 'tributary_payouts_unclear'), 1);
  });
});

describe('GET /metrics: what a scrape costs', () => {
  test('scrapes within five seconds read the database once', async () => {
    const app = await open();
    const fresh = async () => valueOf(await scrape(app), 'tributary_mails_waiting');
    await execute(app, mailRow('one', 1));
    assert.equal(await fresh(), 1);
    await execute(app, mailRow('two', 1));
    assert.equal(await fresh(), 1, 'from the same reading');
    app.advance(LATER_MS);
    assert.equal(await fresh(), 2);
  });

  test('metrics of an inactive add-on disappear immediately', async () => {
    const app = await open();
    assert.match(await scrape(app), /tributary_payouts\{/);
    await app.set({ 'addons.disabled': ['payouts'] });
    const text = await scrape(app);
    assert.doesNotMatch(text, /tributary_payout/);
    assert.match(text, /tributary_webhook_deliveries_waiting/);
  });

  test('metrics that cannot be read are missing, counted and logged; the others are present', async () => {
    const app = await open();
    await execute(app, 'alter table outbox rename to away');
    const text = await scrape(app);
    await execute(app, 'alter table away rename to outbox');
    assert.doesNotMatch(text, /tributary_mails_waiting/);
    assert.equal(valueOf(text, 'tributary_metrics_unread'), 1);
    assert.match(text, /tributary_build_info/);
    assert.ok(app.logs.some((line) => line.includes('metrics could not be read')));
    app.advance(LATER_MS);
    assert.equal(valueOf(await scrape(app), 'tributary_metrics_unread'), 0);
  });

  test('no query reads a large table', async (t) => {
    if (testServer() !== undefined)
      return t.skip('the plan of SQLite, which never depends on rows');
    const app = await open();
    const statements = await statementsOfMetrics(app.site);
    assert.ok(statements.some((sql) => sql.includes('payout_days')));
    const file = new DatabaseSync(app.app.folder.databaseFile, { readOnly: true });
    const small = new Set([
      'CONSTANT',
      'webhooks',
      'series',
      'migrations',
      'waiting',
      'sending',
      'unclear',
      'each',
      'store_connections',
      'store_syncs',
    ]);
    const partial =
      /USING COVERING INDEX (webhook_deliveries_due|postback_deliveries_due|store_deliveries_due|payouts_to_ask|payouts_unclear)$/;
    for (const sql of statements) {
      const plan = file.prepare(`explain query plan ${sql}`).all() as { detail: string }[];
      for (const { detail } of plan) {
        const scanned = /^SCAN (\w+)/.exec(detail)?.[1];
        const isFine = scanned === undefined || small.has(scanned) || partial.test(detail);
        assert.ok(isFine, `${detail} in ${sql}`);
      }
    }
    file.close();
  });
});

/** The id of an event that deliveries can belong to. */
async function firstEvent(app: TestApp): Promise<number> {
  const key = await app.key('admin', 'read,write,manage');
  await app.call('/keys', { method: 'POST', key, json: { user_id: idOf('admin') } });
  const { body } = await app.call('/events?per_page=1', { key });
  return body[0].id;
}

/** The SQL text of every statement that a scrape runs. */
async function statementsOfMetrics(site: Site): Promise<string[]> {
  const { database } = site;
  const seen: string[] = [];
  const read: Reader = {
    ...database.read,
    all(query, params) {
      seen.push(query.compiledFor(database.dialect, params).sql);
      return database.read.all(query, params);
    },
    first(query, params) {
      seen.push(query.compiledFor(database.dialect, params).sql);
      return database.read.first(query, params);
    },
  };
  const watched: Site = { ...site, database: { ...database, read } };
  for (const source of site.registry.modules.flatMap((module) => module.metrics ?? [])) {
    await source.read(watched);
  }
  return seen;
}
