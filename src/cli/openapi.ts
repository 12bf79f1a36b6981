import { invoke } from '../kernel/call/invoke.ts';
import { getOpenApi, getStoreOpenApi } from '../modules/meta/index.ts';
import { withSite, type Flags } from './with-site.ts';

export interface OpenApiFlags extends Flags {
  api: 'v2' | 'store';
}

export async function printOpenApi(flags: OpenApiFlags): Promise<void> {
  await withSite(flags, async (site) => {
    const operation = flags.api === 'v2' ? getOpenApi : getStoreOpenApi;
    const text = await invoke<Buffer>(site, operation);
    console.log(JSON.stringify(JSON.parse(text.toString()), null, 2));
  });
}
