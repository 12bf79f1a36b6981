import { Option, type Command } from 'commander';
import { invoke } from '../kernel/invoke.ts';
import { getOpenApi, getStoreOpenApi } from '../modules/meta/index.ts';
import { withSite, type Flags } from './with-site.ts';

export function addOpenApi(program: Command): Command {
  return program
    .command('openapi')
    .description('print the OpenAPI document, as GET /openapi answers it')
    .addOption(new Option('--api <name>', 'which one').choices(['v2', 'store']).default('v2'))
    .addHelpText('after', '\nExample:\n  ./tributary openapi --api store > openapi.json')
    .action((flags: Flags & { api: 'v2' | 'store' }) =>
      withSite(flags, async (site) => {
        const operation = flags.api === 'v2' ? getOpenApi : getStoreOpenApi;
        const text = await invoke<Buffer>(site, operation);
        console.log(JSON.stringify(JSON.parse(text.toString()), null, 2));
      }),
    );
}
