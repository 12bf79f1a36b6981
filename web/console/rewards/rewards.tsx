import { Link } from 'wouter-preact';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { BonusList } from './bonus-list.tsx';
import { GroupList } from './group-list.tsx';
import { RewardTabs } from './reward-tabs.tsx';
import { RuleList } from './rule-list.tsx';
import { GROUPS_PATH, PATH, useCanChange, useRules } from './rules.ts';
import './rewards.css';

/** Who earns what: the rules, the bonuses and the groups of affiliates, a tab for each. */
export function Rewards() {
  const tab = useAddress(PATH).get('tab');
  if (tab === 'groups') return <GroupList />;
  return tab === 'bonuses' ? <BonusList /> : <Rules />;
}

/** The rules in the order in which they are asked, and below them the rates of the settings. */
function Rules() {
  const { data, error, retry } = useRules();
  const canChange = useCanChange();
  const create = (
    <Link class="button" data-kind="primary" href={`${PATH}/new`}>
      {t('console-rewards.create')}
    </Link>
  );
  const isEmpty = data?.rules.length === 0;
  return (
    <Screen title={t('console.nav.rewards')} aside={canChange && !isEmpty && create}>
      <RewardTabs current="rules" />
      <p class="muted">{t('console-rewards.how')}</p>
      {!canChange && <p class="muted">{t('console-rewards.readOnly')}</p>}
      <Card title={t('console-rewards.rules')}>
        {!data && <Pending error={error} retry={retry} lines={4} height="3rem" />}
        {isEmpty && <EmptyState of="console-rewards.empty" action={canChange && create} />}
        {data && !isEmpty && <RuleList list={data} canChange={canChange} />}
      </Card>
      {data && (
        <Card title={t('console-rewards.builtIn')}>
          <ol class="built-in">
            {data.built_in.map(({ name, sentence }) => (
              <li key={name}>
                <p class="reward-sentence">{sentence}</p>
                <Link href={places[name]}>{t(`console-rewards.place.${name}`)}</Link>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </Screen>
  );
}

/** Where each of the built-in rows is changed. */
const places = {
  renewals: '/console/settings?q=commission.renewals',
  products: '/console/settings?q=commission.product_percents',
  coupon: '/console/coupons',
  group: GROUPS_PATH,
  store: '/console/settings?group=commission',
} as const;
