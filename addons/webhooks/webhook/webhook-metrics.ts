import { attemptsCounter, backlogMetrics } from '../../../src/modules/deliveries/index.ts';
import { webhookTables } from '../tables.ts';

export const attemptsTotal = attemptsCounter(
  'webhook',
  'Attempts to deliver an event to a webhook, by outcome.',
);

export const webhookMetrics = [backlogMetrics('webhook', webhookTables), attemptsTotal];
