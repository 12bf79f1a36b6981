import Type from 'typebox';
import { defineSetting, inGroup, type SettingDefinition } from '../../kernel/declare/setting.ts';
import { commissionGroup } from '../../kernel/declare/setting-groups.ts';

/**
 * The version of the list of rules, which every change of it raises. Settings are in the memory of every instance, so
 * an order needs no statement to know that the rules in memory are the current ones, or that there are none.
 */
export const rulesVersion: SettingDefinition<Type.TInteger> = {
  ...defineSetting(
    'rewards.version',
    Type.Integer({ minimum: 0 }),
    0,
    'The version of the list of reward rules; operations on rules change it.',
  ),
  isHidden: true,
  refuseChange: () => Promise.resolve('changes with the reward rules only'),
};

export const rewardSettings = inGroup(commissionGroup, {
  'Version of the reward rules': rulesVersion,
});
