import { defineModule } from '../../kernel/declare/module.ts';
import { apiGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { getOpenApi, getStoreOpenApi, openApiPublic } from './get-openapi.ts';
import { getReferenceStylesheet, getStylesheet } from './get-stylesheet.ts';
import { showReference } from './show-reference.ts';

export const referenceModule = defineModule({
  name: 'reference',
  summary: 'OpenAPI documents and the API reference',
  addon: false,
  operations: [getOpenApi, getStoreOpenApi, showReference, getStylesheet, getReferenceStylesheet],
  settings: inGroup(apiGroup, { 'Public API reference': openApiPublic }),
});
