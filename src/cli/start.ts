import Type from 'typebox';
import { openApp, type App } from '../app.ts';
import { resolveConfig, type Config } from '../installation/config.ts';
import { InputReader } from '../kernel/call/parameters.ts';
import type { Site } from '../kernel/declare/site.ts';
import { createSetupLink } from '../modules/setup/index.ts';
import { webEnabled } from '../modules/store-profile/index.ts';
import {
  hasAdministrator,
  createUser,
  hashPassword,
  newUserFields,
  readPasswordFile,
  requireGoodPassword,
} from '../modules/users/index.ts';
import { createLog } from './log.ts';
import { print } from './output.ts';
import { serve } from './serve.ts';
import type { Flags } from './with-site.ts';

export async function start(flags: Flags): Promise<void> {
  const { config } = resolveConfig(flags, process.env);
  const log = await createLog(config.logLevel, config.logFormat);
  const app = await openApp({ config, log });
  await serve(app, async () => {
    await createFirstAdministrator(app.site, config);
    const { url } = await app.listen();
    const running = await describe(app, url, config.tls === 'auto');
    print(flags.json, running, () => welcome(running));
  });
}

interface Running {
  url: string;
  api: string;
  docs: string;
  data: string;
  certificate: string | null;
  setup_link: string | null;
  /** The command that creates the first administrator of a service without pages. */
  first_administrator: string | null;
}

const FIRST_ADMINISTRATOR = './tributary admin create --login LOGIN --email EMAIL';

async function describe(app: App, url: string, ownCertificate: boolean): Promise<Running> {
  const ready = await hasAdministrator(app.site.database.read);
  const hasPages = app.site.settings.get(webEnabled);
  return {
    url,
    api: `${url}/svc/v2`,
    docs: `${url}/docs`,
    data: app.folder.path,
    certificate: ownCertificate ? app.folder.certificateFile : null,
    setup_link: ready || !hasPages ? null : await createSetupLink(app.site),
    first_administrator: ready || hasPages ? null : FIRST_ADMINISTRATOR,
  };
}

function welcome(running: Running): string {
  const lines = [
    '',
    `  Tributary is running at ${running.url}`,
    '',
    `  API             ${running.api}`,
    `  API reference   ${running.docs}`,
    `  Data            ${running.data}`,
  ];
  if (running.certificate) {
    lines.push(`  Certificate     ${running.certificate} (self-signed: browsers ask once)`);
  }
  if (running.setup_link) {
    lines.push(
      '',
      '  Next: open this link within 30 minutes to describe your store and to create the first',
      '  administrator and the first API key:',
      '',
      `  ${running.setup_link}`,
      '',
      '  To get a new link: ./tributary setup',
    );
  } else if (running.first_administrator) {
    lines.push(
      '',
      '  Next: create the first administrator, since no setup page is served (TRIBUTARY_WEB=off):',
      '',
      `  ${running.first_administrator}`,
    );
  } else {
    lines.push(
      '',
      '  To create an API key: ./tributary keys create --user LOGIN --scopes read,write',
    );
  }
  if (running.url.startsWith('http:')) {
    lines.push(
      '',
      '  TLS is off: API keys are refused until a proxy adds it. Configure the proxy with',
      '  TRIBUTARY_PUBLIC_URL and TRIBUTARY_TRUSTED_PROXIES.',
    );
  }
  return [...lines, '', '  Stop with Ctrl+C.', ''].join('\n');
}

const fields = new InputReader({ body: Type.Object(newUserFields) });

/** Creates the first administrator from the configuration. */
async function createFirstAdministrator(site: Site, config: Config): Promise<void> {
  if (config.adminEmail === '') return;
  if (await hasAdministrator(site.database.read)) return ignore(site);
  const user = { login: config.adminLogin, email: config.adminEmail };
  fields.read({ params: {}, query: {}, body: user, bodyIsText: true });
  const password = readPasswordFile(config.adminPasswordFile);
  await requireGoodPassword(site, password, user);
  const passwordHash = await hashPassword(password);
  const isFirst = await site.database.transaction(async (tx) => {
    // Another instance may start at the same moment, with the same configuration.
    await tx.lock('setup');
    if (await hasAdministrator(tx)) return false;
    await createUser(tx, site, { ...user, role: 'administrator', passwordHash });
    return true;
  });
  if (!isFirst) return ignore(site);
  site.log.info({ login: user.login }, 'the first administrator was created');
}

function ignore(site: Site): void {
  site.log.info({}, 'TRIBUTARY_ADMIN_EMAIL is ignored: there is already an administrator');
}
