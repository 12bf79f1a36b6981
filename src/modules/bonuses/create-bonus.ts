import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { newBonus } from './bonus-input.ts';
import { answerBonuses, finishChange, openBonuses } from './bonus-list.ts';
import { insertBonus } from './bonus-rows.ts';
import { BonusInput, BONUSES_MAX, BonusSchema } from './bonus-schema.ts';
import { checkBonus } from './check-bonus.ts';

export const tooManyBonuses = defineError(
  'svc_api_too_many_bonuses',
  409,
  `There are ${BONUSES_MAX} bonuses already. Delete one first.`,
);

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
  errors: [tooManyBonuses],
  check: checkBonus,
  async handle(context, input) {
    const { db, site, nowMs } = context;
    const list = await openBonuses(db, site);
    if (list.bonuses.length >= BONUSES_MAX) throw new ApiError(tooManyBonuses);
    const bonus = await newBonus(db, site, input);
    const stored = { since: nowMs, version: list.next };
    const row = { content: JSON.stringify(bonus), created_at: nowMs, updated_at: nowMs, ...stored };
    const { id } = await insertBonus(db, row);
    const after = { id, ...bonus };
    await finishChange(db, site, list, { after }, context);
    const [answer] = await answerBonuses(context, [{ bonus: after, ...stored }]);
    return answer!;
  },
});
