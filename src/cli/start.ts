import { openApp, type App } from '../app.ts';
import { resolveConfig } from '../config.ts';
import { createSetupLink } from '../modules/sessions/index.ts';
import { hasAdministrator } from '../modules/users/index.ts';
import { createFirstAdministrator } from './first-administrator.ts';
import { createLog } from './log.ts';
import { print } from './output.ts';
import { serve } from './serve.ts';
import type { Flags } from './with-site.ts';

export async function start(flags: Flags): Promise<void> {
  const { config } = resolveConfig(flags, process.env);
  const log = createLog(config.logLevel);
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
}

async function describe(app: App, url: string, ownCertificate: boolean): Promise<Running> {
  const ready = await hasAdministrator(app.site.database.read);
  return {
    url,
    api: `${url}/svc/v2`,
    docs: `${url}/docs`,
    data: app.folder.path,
    certificate: ownCertificate ? app.folder.certificateFile : null,
    setup_link: ready ? null : await createSetupLink(app.site),
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
    lines.push(`  Certificate     ${running.certificate} (made here: browsers ask once)`);
  }
  if (running.setup_link) {
    lines.push(
      '',
      '  There is no administrator yet. Open this link within 30 minutes to make one:',
      '',
      `  ${running.setup_link}`,
    );
  }
  return [...lines, '', '  Stop with Ctrl+C.', ''].join('\n');
}
