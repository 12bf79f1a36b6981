import Type from 'typebox';
import { defineSetting } from '../../kernel/declare/setting.ts';

export const webhooksMax = defineSetting(
  'webhooks.max',
  Type.Integer({ minimum: 0, maximum: 500 }),
  50,
  'How many webhooks there may be.',
);

export const allowPrivate = defineSetting(
  'webhooks.allow_private',
  Type.Boolean(),
  false,
  'Webhooks may lead to this machine (also over http) and to private networks. For development: ' +
    'whoever may make webhooks can then reach what the firewall protects.',
);

export const keepDays = defineSetting(
  'webhooks.keep_days',
  // No less than the retries take.
  Type.Integer({ minimum: 7, maximum: 3_650 }),
  30,
  'How many days the log of webhook deliveries goes back.',
);

export const webhookSettings = [webhooksMax, allowPrivate, keepDays];
