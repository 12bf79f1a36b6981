import { defineModule } from '../../kernel/declare/module.ts';
import { needs } from '../../modules/overview/index.ts';
import { failingWebhooks } from './failing-webhooks.ts';
import { eventDeliveries } from '../../kernel/present/openapi/webhooks.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { mails } from '../../modules/mail/index.ts';
import { changeWebhook, noFields } from './change-webhook.ts';
import { correctWebhookWaits } from './correct-waits.ts';
import { createWebhook, tooManyWebhooks } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { deliverEvents } from './delivery/deliver-events.ts';
import { dispatcherOf } from './delivery/dispatcher.ts';
import { getDelivery } from './get-delivery.ts';
import { getWebhookStats } from './get-webhook-stats.ts';
import { getWebhook } from './get-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listWebhookEvents } from './list-webhook-events.ts';
import { listWebhookHealth } from './list-webhook-health.ts';
import { listWebhooks } from './list-webhooks.ts';
import { webhookDeliveries } from './delivery/described-deliveries.ts';
import { bindWebhookSecrets } from './secret.ts';
import { migrations } from './migrations.ts';
import { pruneDeliveries } from './delivery/prune-deliveries.ts';
import { redeliver, webhookIsDisabled } from './redeliver.ts';
import { replayEvents } from './replay-events.ts';
import { webhookSettings } from './settings.ts';
import { noEvents } from './subscription.ts';
import { deliveryFailed, testWebhook } from './test-webhook.ts';
import { webhookDisabled } from './webhook-events.ts';
import { webhookMetrics } from './webhook-metrics.ts';
import { webhookDisabledMail } from './webhook-mails.ts';
import { invalidUrl } from './webhook-url.ts';
import { tables } from './tables.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { webhookEffects } from './setting-effects.ts';

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
  tables,
  migrations,
  bindSecrets: bindWebhookSecrets,
  correctInstants: correctWebhookWaits,
  contributions: [
    ...webhookEffects.map((effect) => contribute(settingEffects, effect)),
    contribute(needs, failingWebhooks),
    contribute(mails, webhookDisabledMail),
    contribute(eventDeliveries, webhookDeliveries),
  ],
  close: (site) => dispatcherOf(site).close(),
});
