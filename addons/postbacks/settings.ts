import Type from 'typebox';
import { defineSetting, inGroup } from '../../src/kernel/declare/setting.ts';

export const postbacksMax = defineSetting(
  'postbacks.max',
  Type.Integer({ minimum: 0, maximum: 5 }),
  5,
  'Maximum number of postbacks of each affiliate.',
);

export const allowPrivate = defineSetting(
  'postbacks.allow_private',
  Type.Boolean(),
  false,
  'Postbacks may point to this machine (also over http) and to private networks. For ' +
    'development only: it lets every affiliate reach hosts behind the firewall.',
);

export const keepDays = defineSetting(
  'postbacks.keep_days',
  // Retries take almost a week at most.
  Type.Integer({ minimum: 7, maximum: 365 }),
  30,
  'Number of days after which postbacks that were sent are removed from the log. As many can be sent again.',
);

export const postbackSettings = inGroup(
  { name: 'postbacks', title: 'Postbacks', position: 125 },
  {
    'Maximum number of postbacks': postbacksMax,
    'Allow private addresses of postbacks': allowPrivate,
    'Days that sent postbacks are kept': keepDays,
  },
);
