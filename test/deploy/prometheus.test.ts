import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { programEnvironment, type Program } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { openTestApp } from '../support/harness.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { root } from './compose-file.ts';
import { programFor, prometheus } from './programs.ts';

// The way of docs/operating.md, "Figures for Prometheus": a real Prometheus with the scrape configuration
// and the rules that the page names, on the loopback address, before a running service.

const TOKEN = 'prometheus-scrapes-with-this';

interface ScrapeConfig {
  job_name: string;
  scheme: string;
  scrape_interval?: string;
  authorization: { credentials: string };
  static_configs: { targets: string[] }[];
}

/** The configuration of the documentation, with the token and the address of the test. */
function documentedConfig(target: string): string {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => parse(text!));
  const { scrape_configs } = blocks.find((block) => 'scrape_configs' in block) as {
    scrape_configs: ScrapeConfig[];
  };
  const rules = blocks.find((block) => 'rule_files' in block) as { rule_files: string[] };
  const [scrape] = scrape_configs;
  return stringify({
    global: { evaluation_interval: '1s' },
    ...rules,
    scrape_configs: [
      {
        ...scrape,
        scheme: 'http',
        scrape_interval: '5s',
        authorization: { ...scrape!.authorization, credentials: TOKEN },
        static_configs: [{ targets: [target] }],
      },
    ],
  });
}

async function startPrometheus(program: Program, config: string): Promise<string> {
  const folder = tempFolder();
  const address = `127.0.0.1:${await freePort()}`;
  writeFileSync(join(folder, 'prometheus.yml'), config);
  copyFileSync(join(root, 'deploy/alert-rules.yml'), join(folder, 'alert-rules.yml'));
  const words = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${address}`,
    '--log.level=warn',
  ];
  const server = spawn(program.path, words, {
    cwd: folder,
    env: programEnvironment(program),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const killNow = () => server.kill('SIGKILL');
  process.once('exit', killNow);
  after(async () => {
    process.off('exit', killNow);
    const ended = server.exitCode === null ? once(server, 'exit') : undefined;
    server.kill('SIGKILL');
    await ended;
  });
  await eventually(async () => {
    assert.equal(server.exitCode, null, 'Prometheus runs');
    assert.equal((await fetch(`http://${address}/-/ready`)).status, 200);
  });
  return `http://${address}`;
}

test('Prometheus scrapes the service, evaluates every rule and answers every panel', async (t) => {
  const program = programFor(t, prometheus);
  if (!program) return;
  const app = await openTestApp({ jobs: 'all', config: { metricsToken: TOKEN } });
  const url = await startPrometheus(program, documentedConfig(new URL(app.url).host));
  const ask = async (path: string) =>
    ((await (await fetch(`${url}/api/v1/${path}`)).json()) as { data: any }).data;
  const query = (expr: string) => ask(`query?query=${encodeURIComponent(expr)}`);

  await eventually(async () => {
    const { result } = await query('tributary_build_info');
    assert.equal(result[0].value[1], '1');
    assert.equal(result[0].metric.job, 'tributary');
  });
  await eventually(async () => {
    const { groups } = await ask('rules');
    const { rules } = groups[0];
    assert.ok(rules.length > 15);
    for (const rule of rules) assert.deepEqual([rule.name, rule.health], [rule.name, 'ok']);
  });

  const dashboard = JSON.parse(readFileSync(join(root, 'deploy/grafana-dashboard.json'), 'utf8'));
  const expressions = dashboard.panels.flatMap((panel: any) =>
    (panel.targets ?? []).map((target: any) => String(target.expr)),
  );
  assert.ok(expressions.length > 25);
  for (const expression of expressions as string[]) {
    const expr = expression.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
    const data = await query(expr);
    assert.ok(Array.isArray(data?.result), expr);
  }
});
