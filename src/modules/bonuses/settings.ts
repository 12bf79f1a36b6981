import Type from 'typebox';
import { defineSetting, inGroup, type SettingDefinition } from '../../kernel/declare/setting.ts';
import { commissionGroup } from '../../kernel/declare/setting-groups.ts';

/** Like the version of the rules: an order needs no statement to know that there are no bonuses. */
export const bonusesVersion: SettingDefinition<Type.TInteger> = {
  ...defineSetting(
    'rewards.bonuses_version',
    Type.Integer({ minimum: 0 }),
    0,
    'The version of the list of bonuses; operations on bonuses change it.',
  ),
  isHidden: true,
  refuseChange: () => Promise.resolve('changes with the bonuses only'),
};

export const bonusSettings = inGroup(commissionGroup, {
  'Version of the bonuses': bonusesVersion,
});
