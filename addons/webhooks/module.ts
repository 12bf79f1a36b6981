import { creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { needs } from '../../src/kernel/declare/overview.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { settingEffects } from '../../src/kernel/declare/setting-effect.ts';
import { eventDeliveries } from '../../src/kernel/present/openapi/webhooks.ts';
import { mails } from '../../src/modules/mail/index.ts';
import { changeWebhook, noFields } from './api/change-webhook.ts';
import { createWebhook, tooManyWebhooks } from './api/create-webhook.ts';
import { deleteWebhook } from './api/delete-webhook.ts';
import { getDelivery } from './api/get-delivery.ts';
import { getWebhookStats } from './api/get-webhook-stats.ts';
import { getWebhook } from './api/get-webhook.ts';
import { listDeliveries } from './api/list-deliveries.ts';
import { listWebhookEvents } from './api/list-webhook-events.ts';
import { listWebhookHealth } from './api/list-webhook-health.ts';
import { listWebhooks } from './api/list-webhooks.ts';
import { redeliver, webhookIsDisabled } from './api/redeliver.ts';
import { replayEvents } from './api/replay-events.ts';
import { deliveryFailed, testWebhook } from './api/test-webhook.ts';
import { deliverEvents } from './delivery/deliver-events.ts';
import { webhookDeliveries } from './delivery/described-deliveries.ts';
import { correctWebhookWaits, dispatcherOf } from './delivery/dispatcher.ts';
import { pruneDeliveries } from './delivery/prune-deliveries.ts';
import { webhookEffects } from './setting-effects.ts';
import { webhookSettings } from './settings.ts';
import { tables } from './tables.ts';
import { noEvents } from './webhook/subscription.ts';
import { webhookDisabled } from './webhook/webhook-events.ts';
import { webhookDisabledMail } from './webhook/webhook-mails.ts';
import { webhookMetrics } from './webhook/webhook-metrics.ts';
import { failingWebhooks } from './webhook/webhook-rows.ts';
import { invalidUrl } from './webhook/webhook-url.ts';

export const webhooksModule = defineModule({
  name: 'webhooks',
  summary: 'Webhooks: signed events, retried until they are delivered',
  addon: true,
  operations: [
    listWebhooks,
    createWebhook,
    listWebhookEvents,
    changeWebhook,
    deleteWebhook,
    testWebhook,
    listWebhookHealth,
    getWebhook,
    getWebhookStats,
    listDeliveries,
    getDelivery,
    redeliver,
    replayEvents,
  ],
  events: [webhookDisabled],
  settings: webhookSettings,
  errors: [noEvents, noFields, invalidUrl, tooManyWebhooks, deliveryFailed, webhookIsDisabled],
  jobs: [deliverEvents, pruneDeliveries],
  metrics: webhookMetrics,
  migrations: [creating('webhooks/0001-baseline', tables)],
  correctInstants: correctWebhookWaits,
  contributions: [
    ...webhookEffects.map((effect) => contribute(settingEffects, effect)),
    contribute(needs, failingWebhooks),
    contribute(mails, webhookDisabledMail),
    contribute(eventDeliveries, webhookDeliveries),
  ],
  close: (site) => dispatcherOf(site).close(),
});
