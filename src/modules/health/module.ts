import { defineModule } from '../../kernel/declare/module.ts';
import { getHealth } from './get-health.ts';
import { getMetrics } from './get-metrics.ts';
import { getReadiness } from './get-readiness.ts';
import { siteMetrics } from './site-metrics.ts';

export const healthModule = defineModule({
  name: 'health',
  summary: 'Health, readiness and metrics of the service',
  addon: false,
  operations: [getHealth, getReadiness, getMetrics],
  metrics: siteMetrics,
});
