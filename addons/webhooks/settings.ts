import Type from 'typebox';
import { defineSetting, inGroup } from '../../src/kernel/declare/setting.ts';

export const webhooksMax = defineSetting(
  'webhooks.max',
  Type.Integer({ minimum: 0, maximum: 500 }),
  50,
  'Maximum number of webhooks.',
);

export const allowPrivate = defineSetting(
  'webhooks.allow_private',
  Type.Boolean(),
  false,
  'Webhooks may point to this machine (also over http) and to private networks. For ' +
    'development only: it lets any user who can create webhooks reach hosts behind the firewall.',
);

export const keepDays = defineSetting(
  'webhooks.keep_days',
  // Retries take almost a week at most.
  Type.Integer({ minimum: 7, maximum: 3_650 }),
  30,
  'Number of days after which webhook deliveries are removed from the log.',
);

export const webhookSettings = inGroup(
  { name: 'webhooks', title: 'Webhooks', position: 120 },
  {
    'Maximum number of webhooks': webhooksMax,
    'Allow private addresses': allowPrivate,
    'Days that deliveries are kept': keepDays,
  },
);
