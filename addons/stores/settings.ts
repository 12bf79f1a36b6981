import Type from 'typebox';
import { defineSetting, inGroup } from '../../src/kernel/declare/setting.ts';
import { ownStatuses } from './connectors/woocommerce/order-status.ts';

export const allowPrivate = defineSetting(
  'stores.allow_private',
  Type.Boolean(),
  false,
  'Connected stores may be on this machine (also over http) and in private networks. For ' +
    'development only: it lets any user who can connect stores reach hosts behind the firewall.',
);

export const keepDays = defineSetting(
  'stores.keep_days',
  Type.Integer({ minimum: 7, maximum: 3_650 }),
  30,
  'Number of days after which deliveries of connected stores are removed, with the data of customers in them.',
);

export const deliveriesPerMinute = defineSetting(
  'stores.deliveries_per_minute',
  Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  6_000,
  'Maximum number of deliveries that a connected store may send per minute. The store repeats the others later, or ' +
    'they are found by reconciling.',
);

export const storeSettings = inGroup(
  { name: 'stores', title: 'Stores', position: 125 },
  {
    'Allow private addresses': allowPrivate,
    'Days that deliveries are kept': keepDays,
    'Deliveries per minute': deliveriesPerMinute,
    'Statuses of WooCommerce': ownStatuses,
  },
);
