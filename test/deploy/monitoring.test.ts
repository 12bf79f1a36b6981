import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { metricsText } from '../../src/modules/health/collect-metrics.ts';
import { addonFacts } from '../support/addon-facts.ts';
import { programEnvironment } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { openTestApp } from '../support/harness.ts';
import { root } from './compose-file.ts';
import { programFor, promtool } from './programs.ts';
import { errorsIn, groupedBy, selectorsIn } from './promql.ts';

// The alert rules and the dashboard, compared with what the running service really shows.

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: { type: string; uid: string };
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const alertText = read('deploy/alert-rules.yml');
const rules = (parse(alertText) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboardText = read('deploy/grafana-dashboard.json');
const dashboard = JSON.parse(dashboardText) as {
  panels: Panel[];
  templating: { list: { name: string; type: string; query: unknown }[] };
};
const charts = dashboard.panels.filter((panel) => panel.type !== 'row');
const expressions = [
  ...rules.map(({ alert, expr }) => ({ place: alert, expr })),
  ...charts.flatMap(({ title, targets }) =>
    (targets ?? []).map(({ expr }) => ({ place: `panel ${title}`, expr })),
  ),
];

/** Prometheus itself adds these. */
const FROM_PROMETHEUS = new Set(['job', 'instance']);
/** What only a service with Redis shows, with the file that declares it. */
const WITH_REDIS = /^tributary_redis_(up|fallbacks_total)$/;

type Series = Map<string, string>[];

/** What a service shows whose jobs have run and that has answered a request: by metric, the labels. */
async function shownMetrics(): Promise<Map<string, Series>> {
  const app = await openTestApp({
    jobs: 'all',
    config: { tls: 'auto', smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'a@store.example' },
  });
  for (const { showMetrics } of addonFacts) await showMetrics?.(app.site);
  assert.equal(await fetchInsecurely(app.url.replace('http:', 'https:')), 200);
  return eventually(async () => {
    app.advance(6_000);
    const shown = seriesOf(await metricsText(app.site));
    assert.ok(shown.has('tributary_job_last_success_timestamp_seconds'));
    return shown;
  });
}

/** The status of an answer under a certificate that no authority has signed. */
function fetchInsecurely(url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  get(`${url}/healthz`, { rejectUnauthorized: false, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode!);
  }).on('error', reject);
  return promise;
}

function seriesOf(text: string): Map<string, Series> {
  const shown = new Map<string, Series>();
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^([a-z]\w*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)];
    const series = new Map(pairs.map(([, label, value]) => [label!, value!]));
    shown.set(name, [...(shown.get(name) ?? []), series]);
  }
  return shown;
}

function runPromtool(t: Parameters<typeof programFor>[0], ...words: string[]): void {
  const program = programFor(t, promtool);
  if (!program) return;
  const { status, stdout, stderr } = spawnSync(program.path, words, {
    encoding: 'utf8',
    env: programEnvironment(program),
  });
  assert.equal(status, 0, stdout + stderr);
}

describe('expressions of the alert rules and of the dashboard', async () => {
  const shown = await shownMetrics();

  test('are PromQL', () => {
    assert.ok(expressions.length > 50);
    for (const { place, expr } of expressions) assert.deepEqual(errorsIn(expr), [], place);
    assert.equal(errorsIn('sum(rate(x[5m])').length, 1, 'a fault would be found');
  });

  test('name metrics that the service shows, with labels and values that they have', () => {
    for (const { place, expr } of expressions) {
      for (const { metric, labels } of selectorsIn(expr)) {
        if (metric === 'up') continue;
        if (WITH_REDIS.test(metric)) {
          assert.ok(read('src/redis/share-through-redis.ts').includes(`'${metric}'`), metric);
          continue;
        }
        const series = shown.get(metric);
        assert.ok(series, `${place}: no metric ${metric}`);
        for (const [label, value] of labels) {
          if (FROM_PROMETHEUS.has(label)) continue;
          const values: (string | undefined)[] = series.map((one) => one.get(label));
          assert.ok(
            values.some((each) => each !== undefined),
            `${place}: ${metric}{${label}}`,
          );
          assert.ok(value === undefined || values.includes(value), `${place}: ${label}="${value}"`);
        }
      }
    }
  });

  test('group by labels that one of their metrics has', () => {
    for (const { place, expr } of expressions) {
      const series = selectorsIn(expr).flatMap(({ metric }) => shown.get(metric) ?? []);
      for (const label of groupedBy(expr)) {
        const isKnown = FROM_PROMETHEUS.has(label) || series.some((one) => one.has(label));
        assert.ok(isKnown, `${place}: by (${label})`);
      }
    }
  });

  test('no metric of ours has a label that Prometheus would rename', () => {
    for (const [metric, series] of shown) {
      for (const one of series) {
        for (const label of one.keys()) assert.ok(!FROM_PROMETHEUS.has(label), metric);
      }
    }
  });
});

describe('deploy/alert-rules.yml', () => {
  test('Prometheus accepts it', (t) =>
    runPromtool(t, 'check', 'rules', join(root, 'deploy/alert-rules.yml')));

  test('alerts fire when they are to, and not before', (t) => {
    runPromtool(t, 'test', 'rules', join(import.meta.dirname, 'alert-rules.test.yml'));
  });

  test('every alert has a name of its own, a severity, and says what to do', () => {
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { alert, labels, annotations } of rules) {
      assert.match(alert, /^Tributary[A-Z]\w+$/);
      assert.match(labels.severity, /^(critical|warning)$/, alert);
      assert.ok(annotations.summary.length > 10, alert);
      assert.ok(annotations.description.length > 80, alert);
    }
  });

  test('an alert waits for a while, unless its expression looks back', () => {
    for (const { alert, expr, for: wait } of rules) {
      assert.ok(wait !== undefined || /\[\d+h\]/.test(expr), alert);
    }
  });
});

describe('deploy/grafana-dashboard.json', () => {
  test('every panel has an id and a place of its own, a title and a meaning', () => {
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels) {
      assert.ok(gridPos.x + gridPos.w <= 24, title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(!taken.has(`${x} ${y}`), `${title} lies over another panel`);
          taken.add(`${x} ${y}`);
        }
      }
    }
    for (const { title, description } of charts) assert.ok(title && description, title);
  });

  test('asks the data source that is chosen in it, and nothing else', () => {
    const [source, instance] = dashboard.templating.list;
    assert.deepEqual(
      [source!.name, source!.type, source!.query],
      ['datasource', 'datasource', 'prometheus'],
    );
    assert.equal(instance!.name, 'instance');
    for (const { title, datasource, targets = [] } of charts) {
      assert.equal(datasource?.uid, '${datasource}', title);
      assert.ok(targets.length > 0, title);
      assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
      for (const target of targets) assert.equal(target.datasource.uid, '${datasource}', title);
    }
    assert.doesNotMatch(dashboardText, /https?:\/\//);
  });

  test('shows what an operator needs', () => {
    const metrics = new Set(
      charts.flatMap(({ targets = [] }) =>
        targets.flatMap(({ expr }) => selectorsIn(expr).map(({ metric }) => metric)),
      ),
    );
    for (const { expr, alert } of rules) {
      for (const { metric } of selectorsIn(expr)) {
        if (['up', 'process_start_time_seconds', 'tributary_metrics_unread'].includes(metric))
          continue;
        assert.ok(metrics.has(metric), `${alert} is about ${metric}, which no panel shows`);
      }
    }
  });
});
