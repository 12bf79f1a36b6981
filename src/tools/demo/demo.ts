import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../../app.ts';
import { createLog } from '../../cli/log.ts';
import { print } from '../../cli/output.ts';
import { serve } from '../../cli/serve.ts';
import type { Flags } from '../../cli/with-site.ts';
import { lockFile } from '../../db/files/lock-file.ts';
import { configKeys } from '../../installation/config-keys.ts';
import { resolveConfig, type Config } from '../../installation/config.ts';
import { dataFolder, prepareFolder, type DataFolder } from '../../installation/data-folder.ts';
import { CommandError } from '../../kernel/declare/command.ts';
import { curlHere } from '../../kernel/present/curl.ts';
import { textTable } from '../../shared/text-table.ts';
import { DemoClock } from './demo-clock.ts';
import { fillDemo, type DemoAccess } from './demo-data.ts';
import { openDemoPartners, type DemoPartners } from './demo-partners.ts';

const MARKER = 'this-is-a-demo';

export async function demo(flags: Flags): Promise<void> {
  const data = flags.data ?? process.env[configKeys.data.env] ?? './demo-data';
  const partners = await openDemoPartners();
  try {
    await demoWith(partners, { ...flags, data });
  } finally {
    await partners.close();
  }
}

async function demoWith(partners: DemoPartners, flags: Flags): Promise<void> {
  // A demo is recreated each time, so it never uses a configured database.
  const given = { ...flags, ...partners.config, databaseUrl: '' };
  const config = trustLoopback(resolveConfig(given, process.env).config);
  const folder = dataFolder(config.data);
  startAnew(folder);
  const clock = new DemoClock();
  const log = await createLog(config.logLevel, config.logFormat);
  const app = await openApp({ config, log, clock: clock.read });
  await serve(app, async () => {
    const access = await fillDemo(app.site, clock, partners);
    const { url } = await app.listen();
    print(flags.json, { url, data: folder.path, ...access }, () =>
      welcome(url, config.tls === 'off' ? CURL_WITHOUT_TLS : curlHere(app.site), access),
    );
  });
}

/** API keys need HTTPS. Without TLS, programs on this machine stand for the proxy that has it. */
function trustLoopback(config: Config): Config {
  if (config.tls !== 'off') return config;
  return { ...config, trustedProxies: [...config.trustedProxies, '127.0.0.1', '::1'] };
}

const CURL_WITHOUT_TLS = "curl -H 'X-Forwarded-Proto: https'";

/** Empties only a folder that an earlier demo created. */
function startAnew(folder: DataFolder): void {
  const marker = join(folder.path, MARKER);
  if (existsSync(folder.path)) {
    if (readdirSync(folder.path).length > 0 && !existsSync(marker)) {
      throw new CommandError(
        'refused',
        `${folder.path} holds something that is not a demo. Choose another folder with --data.`,
      );
    }
    const lock = lockFile(folder.lockFile);
    if (!lock) {
      throw new CommandError(
        'refused',
        `A demo is running on ${folder.path}. Stop it, or choose another --data folder.`,
      );
    }
    lock.release();
    rmSync(folder.path, { recursive: true });
  }
  prepareFolder(folder);
  writeFileSync(marker, 'Everything here is thrown away by the next "./tributary demo".\n');
}

function welcome(url: string, curl: string, access: DemoAccess): string {
  const { adminKey, affiliateKey, adminPassword, made } = access;
  const { days, ...counts } = made;
  return [
    '',
    `  The Tributary demo is running at ${url}`,
    '',
    textTable(
      ['login', 'role', 'password'],
      access.people.map((person) => [person.login, person.role, person.password]),
    ).replaceAll(/^/gm, '  '),
    '',
    `  API key of admin (read, write, manage)   ${adminKey}`,
    `  API key of maya (read)                   ${affiliateKey}`,
    `  Application password of admin            ${adminPassword}`,
    '',
    `  Made up: ${listOf(counts)} of the last ${days} days`,
    '',
    '  Try:',
    '',
    `${curl} -H 'Authorization: Bearer ${affiliateKey}' ${url}/svc/v2/me`,
    `${curl} -u 'admin:${adminPassword}' ${url}/svc/v2/keys`,
    `${curl} -H 'Authorization: Bearer ${adminKey}' '${url}/svc/v2/events?after=0'`,
    '',
    `  Portal of affiliates: ${url}/app (sign in as maya)`,
    `  Console of the team: ${url}/console (sign in as admin)`,
    `  API reference: ${url}/docs`,
    '  Stop with Ctrl+C. The next demo starts from the beginning.',
    '',
  ].join('\n');
}

/** `40 affiliates, 60 coupons and 14 payouts`. */
function listOf(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].join(' and ');
}
