import { defineModule } from '../../kernel/declare/module.ts';
import { getHealth } from './get-health.ts';
import { getIcon } from './get-icon.ts';
import { getMetrics } from './get-metrics.ts';
import { getOpenApi, getStoreOpenApi, openApiPublic } from './get-openapi.ts';
import { getReadiness } from './get-readiness.ts';
import { getReferenceStylesheet, getStylesheet } from './get-stylesheet.ts';
import { storeSettings } from './store-settings.ts';
import { showReference } from './show-reference.ts';
import { siteMetrics } from './site-metrics.ts';
import { apiGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';

export const metaModule = defineModule({
  name: 'meta',
  summary: 'Health, metrics, OpenAPI documents and the API reference',
  addon: false,
  operations: [
    getOpenApi,
    getStoreOpenApi,
    showReference,
    getStylesheet,
    getReferenceStylesheet,
    getIcon,
    getHealth,
    getReadiness,
    getMetrics,
  ],
  settings: [...storeSettings, ...inGroup(apiGroup, { 'Public API reference': openApiPublic })],
  metrics: siteMetrics,
});
