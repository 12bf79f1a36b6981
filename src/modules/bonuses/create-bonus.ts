import { operation } from '../../kernel/declare/operation.ts';
import { createIn } from '../rewards/index.ts';
import { bonusList } from './bonus-list.ts';
import { BonusInput, BonusSchema } from './bonus-schema.ts';
import { checkBonus } from './check-bonus.ts';

export const createBonus = operation({
  method: 'POST',
  namespace: 'store',
  path: '/rewards/bonuses',
  summary: 'Create a bonus',
  description:
    'The window in which it is created counts as a whole: an affiliate who has reached the target already gets the ' +
    'bonus. A fixed amount is paid within seconds after the target was reached, a percentage when the window has ' +
    "ended, on the affiliate's oldest active coupon. It is held for `commission.delay_days`. If refunds bring the " +
    'affiliate below the target while it is held, it is taken back; after that it stays.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  body: BonusInput,
  example: {
    body: {
      name: 'Autumn',
      who: { groups: ['Gold'] },
      target: { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 1000 },
      pays: { amount: 50 },
    },
  },
  status: 201,
  response: BonusSchema,
  errors: [bonusList.tooMany],
  check: checkBonus,
  handle: (context, input) => createIn(bonusList, context, input),
});
