import { openApiText } from '../kernel/present/openapi/document.ts';
import { withSite, type Flags } from './with-site.ts';

export interface OpenApiFlags extends Flags {
  api: 'v2' | 'store';
}

export async function printOpenApi(flags: OpenApiFlags): Promise<void> {
  await withSite(flags, async (site) => {
    console.log(JSON.stringify(JSON.parse(openApiText(site, flags.api)), null, 2));
  });
}
