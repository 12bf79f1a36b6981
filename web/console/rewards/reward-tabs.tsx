import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';
import { BONUSES_PATH, PATH } from './rules.ts';

/** Rules decide what each order earns; bonuses come on top. */
export function RewardTabs({ current }: { current: 'rules' | 'bonuses' }) {
  return (
    <Segmented
      label={t('console-rewards.tabs')}
      current={current}
      options={(['rules', 'bonuses'] as const).map((value) => ({
        value,
        label: t(`console-rewards.tab.${value}`),
      }))}
      hrefOf={(value) => (value === 'bonuses' ? BONUSES_PATH : PATH)}
    />
  );
}
