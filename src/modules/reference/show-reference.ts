import Type from 'typebox';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import { namespacePaths, operation } from '../../kernel/declare/operation.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { page } from '../../kernel/present/html-page.ts';
import { openApiDocument } from '../../kernel/present/openapi/document.ts';
import { siteName } from '../store-profile/index.ts';
import { openApiPublic } from './get-openapi.ts';
import type { Document } from './reference-document.ts';
import { renderReference, type Api } from './reference-page.ts';

export const showReference = operation({
  method: 'GET',
  namespace: 'site',
  path: '/docs',
  summary: 'Show the API reference',
  access: 'public',
  publicUnless: (site) => !site.settings.get(openApiPublic),
  scope: null,
  query: Type.Object({ api: StringEnum(['v2', 'store'], { default: 'v2' }) }),
  response: Type.String(),
  handle: ({ site }, { api }) => rendered(site, `reference ${api}`, () => reference(site, api)),
});

function reference(site: Site, api: Api): HttpResponse<string> {
  // `Document` is the part of OpenAPI that the page reads.
  const document = openApiDocument(site, api) as unknown as Document;
  const { before, main } = renderReference(document, {
    api,
    base: site.publicUrl + namespacePaths[api],
    source: `${namespacePaths[api]}/openapi`,
    store: site.settings.get(siteName),
  });
  return page(document.info.title, main, { before, kind: 'reference', styles: ['/docs.css'] });
}
