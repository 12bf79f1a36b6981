import { optionsOf } from '../../ui/options.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';
import { BONUSES_PATH, GROUPS_PATH, PATH } from './rules.ts';

const tabs = ['rules', 'bonuses', 'coupons', 'groups'] as const;
const paths = new Map<string, string>([
  ['bonuses', BONUSES_PATH],
  ['coupons', '/console/coupons'],
  ['groups', GROUPS_PATH],
]);

/** Rules decide what each order earns; bonuses come on top; groups are whom rules and rates may be for. */
export function RewardTabs({ current }: { current: (typeof tabs)[number] }) {
  return (
    <Segmented
      label={t('console-rewards.tabs')}
      current={current}
      options={optionsOf(tabs, (value) =>
        t(value === 'coupons' ? 'console.nav.coupons' : `console-rewards.tab.${value}`),
      )}
      hrefOf={(value) => paths.get(value) ?? PATH}
    />
  );
}
