import { Fragment, type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useParams } from 'wouter-preact';
import { Screen } from '../../frame/screen.tsx';
import { NotFound } from '../../frame/not-found.tsx';
import type { Loaded } from '../../data.ts';
import { Card } from '../../ui/card.tsx';
import { PendingCard } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { BonusForm } from './bonus-form.tsx';
import { RuleForm } from './rule-form.tsx';
import { BONUSES_PATH, PATH, useBonuses, useCanChange, useRules } from './rules.ts';
import './rewards.css';

/** A rule `/console/rewards/7` or a bonus `/console/rewards/bonus-7`; new ones: `new` and `new-bonus`. */
export function RewardDetail() {
  const { id = '' } = useParams();
  const [, bonusId] = /^bonus-(\d+)$/.exec(id) ?? [];
  return bonusId !== undefined || id === 'new-bonus' ? (
    <BonusDetail key={id} id={bonusId} />
  ) : (
    <RuleDetail key={id} id={id === 'new' ? undefined : id} />
  );
}

interface DetailProps {
  /** Undefined for a new one. */
  id: string | undefined;
}

function RuleDetail({ id }: DetailProps) {
  const loaded = useRules();
  const rule = loaded.data?.rules.find((one) => one.id === Number(id));
  return (
    <Detail
      title={id === undefined ? t('console-rewards.create') : t('console-rewards.single')}
      backTo={PATH}
      readOnly={t('console-rewards.readOnly')}
      isNew={id === undefined}
      loaded={loaded}
      reward={rule}
      formOf={(list, onReload) => <RuleForm list={list} rule={rule} onReload={onReload} />}
    />
  );
}

function BonusDetail({ id }: DetailProps) {
  const loaded = useBonuses();
  const bonus = loaded.data?.bonuses.find((one) => one.id === Number(id));
  return (
    <Detail
      title={t(id === undefined ? 'console-rewards.bonus.create' : 'console-rewards.bonus.single')}
      backTo={BONUSES_PATH}
      readOnly={t('console-rewards.bonus.readOnly')}
      isNew={id === undefined}
      loaded={loaded}
      reward={bonus}
      formOf={(_list, onReload) => <BonusForm bonus={bonus} onReload={onReload} />}
    />
  );
}

interface RewardProps<L> {
  /** While it has no name. */
  title: string;
  backTo: string;
  readOnly: string;
  isNew: boolean;
  loaded: Loaded<L>;
  reward: { name: string; sentence: string } | undefined;
  formOf(list: L, onReload: () => void): ComponentChildren;
}

function Detail<L>(props: RewardProps<L>) {
  const { title, backTo, readOnly, isNew, loaded, reward, formOf } = props;
  const { data, error, retry } = loaded;
  const [starts, setStarts] = useState(0);
  const canChange = useCanChange();
  // One that another person has deleted stays open.
  const [wasThere, setThere] = useState(false);
  if (reward && !wasThere) setThere(true);
  if (data && !reward && !isNew && !wasThere) return <NotFound />;
  const reload = () => {
    setThere(false);
    setStarts(starts + 1);
  };
  return (
    <Screen title={reward?.name || title} back={{ href: backTo, label: t('console.nav.rewards') }}>
      {!data && <PendingCard error={error} retry={retry} lines={10} height="2.5rem" />}
      {data && !canChange && (
        <Card>
          <p class="reward-sentence">{reward?.sentence}</p>
          <p class="muted">{readOnly}</p>
        </Card>
      )}
      {data && canChange && <Fragment key={starts}>{formOf(data, reload)}</Fragment>}
    </Screen>
  );
}
