import { useState } from 'preact/hooks';
import { useParams } from 'wouter-preact';
import { Screen } from '../../frame/screen.tsx';
import { NotFound } from '../../frame/not-found.tsx';
import { Card } from '../../ui/card.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { RuleForm } from './rule-form.tsx';
import { PATH, useCanChange, useRules } from './rules.ts';
import './rewards.css';

/** One rule, or a new one: `/console/rewards/new`. */
export function RewardRuleDetail() {
  const { id = '' } = useParams();
  const { data, error, retry } = useRules();
  const [starts, setStarts] = useState(0);
  const rule = data?.rules.find((one) => one.id === Number(id));
  const isNew = id === 'new';
  const canChange = useCanChange();
  // A rule that another person has deleted stays open.
  const [wasThere, setThere] = useState(false);
  if (rule && !wasThere) setThere(true);
  if (data && !rule && !isNew && !wasThere) return <NotFound />;
  return (
    <Screen
      title={isNew ? t('console-rewards.create') : rule?.name || t('console-rewards.single')}
      back={{ href: PATH, label: t('console.nav.rewards') }}
    >
      {!data && (
        <Card>
          <Pending error={error} retry={retry} lines={10} height="2.5rem" />
        </Card>
      )}
      {data && !canChange && (
        <Card>
          <p class="reward-sentence">{rule?.sentence}</p>
          <p class="muted">{t('console-rewards.readOnly')}</p>
        </Card>
      )}
      {data && canChange && (
        <RuleForm
          key={`${id} ${starts}`}
          list={data}
          rule={rule}
          onReload={() => {
            setThere(false);
            setStarts(starts + 1);
          }}
        />
      )}
    </Screen>
  );
}
