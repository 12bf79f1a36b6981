import type { Command } from 'commander';
import { openApp, type App } from '../app.ts';
import { resolveConfig } from '../config.ts';
import { createSetupLink } from '../modules/sessions/index.ts';
import { hasAdministrator } from '../modules/users/index.ts';
import { createFirstAdministrator } from './first-administrator.ts';
import { createLog } from './log.ts';
import { serve } from './serve.ts';
import type { Flags } from './with-site.ts';

export function addStart(program: Command): Command {
  return program
    .command('start')
    .description('run the service')
    .addHelpText('after', '\nExample:\n  tributary start --port 9443 --timezone Europe/Berlin')
    .action(async (flags: Flags) => {
      const { config } = resolveConfig(flags, process.env);
      const log = createLog(config.logLevel);
      const app = await openApp({ config, log });
      await serve(app, async () => {
        await createFirstAdministrator(app.site, config);
        const { url } = await app.listen();
        console.log(await welcome(app, url, config.tls === 'auto'));
      });
    });
}

async function welcome(app: App, url: string, ownCertificate: boolean): Promise<string> {
  const lines = [
    '',
    `  Tributary is running at ${url}`,
    '',
    `  API             ${url}/svc/v2`,
    `  API reference   ${url}/docs`,
    `  Data            ${app.folder.path}`,
  ];
  if (ownCertificate) {
    lines.push(`  Certificate     ${app.folder.certificateFile} (made here: browsers ask once)`);
  }
  if (!(await hasAdministrator(app.site.database.read))) {
    lines.push(
      '',
      '  There is no administrator yet. Open this link within 30 minutes to make one:',
      '',
      `  ${await createSetupLink(app.site)}`,
    );
  }
  return [...lines, '', '  Stop with Ctrl+C.', ''].join('\n');
}
