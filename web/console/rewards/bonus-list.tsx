import { Link } from 'wouter-preact';
import type { Bonus } from '../../../sdk/src/index.ts';
import { Screen } from '../../frame/screen.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { RewardTabs } from './reward-tabs.tsx';
import { PATH, useBonuses, useCanChange } from './rules.ts';

/** What affiliates get for reaching a target, beside the commission of their orders. */
export function BonusList() {
  const { data, error, retry } = useBonuses();
  const canChange = useCanChange();
  const create = (
    <Link class="button" data-kind="primary" href={`${PATH}/new-bonus`}>
      {t('console-rewards.bonus.create')}
    </Link>
  );
  const isEmpty = data?.bonuses.length === 0;
  return (
    <Screen
      title={t('console.nav.rewards')}
      aside={canChange && !isEmpty && create}
      guide="owner#bonuses"
    >
      <RewardTabs current="bonuses" />
      <p class="muted">{t('console-rewards.bonus.how')}</p>
      {!canChange && <p class="muted">{t('console-rewards.bonus.readOnly')}</p>}
      <Card title={t('console-rewards.bonus.title')}>
        {!data && <Pending error={error} retry={retry} lines={3} height="3rem" />}
        {isEmpty && <EmptyState of="console-rewards.bonus.empty" action={canChange && create} />}
        {data && !isEmpty && (
          <ul class="reward-rules">
            {data.bonuses.map((bonus) => (
              <BonusEntry key={bonus.id} bonus={bonus} canChange={canChange} />
            ))}
          </ul>
        )}
      </Card>
    </Screen>
  );
}

function BonusEntry({ bonus, canChange }: { bonus: Bonus; canChange: boolean }) {
  const { id, name, active, sentence, missing } = bonus;
  return (
    <li>
      <div>
        <p class="reward-sentence" data-inactive={!active}>
          {canChange ? <Link href={`${PATH}/bonus-${id}`}>{sentence}</Link> : sentence}
        </p>
        <p class="rule-about">
          <span class="muted">{name}</span>
          {!active && <Pill kind="plain">{t('console-rewards.inactive')}</Pill>}
          {missing.length > 0 && (
            <Pill kind="bad">{t('console-rewards.missing', { count: missing.length })}</Pill>
          )}
        </p>
      </div>
    </li>
  );
}
