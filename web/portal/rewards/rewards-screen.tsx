import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Screen } from '../../frame/screen.tsx';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { PendingCard } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import { BonusProgress, StepProgress } from './reward-progress.tsx';
import './rewards-screen.css';

/** The rules that concern the affiliate, with the steps that it has reached, what applies where none does, and bonuses. */
export function RewardsScreen() {
  const { me } = useSession();
  const { data, error, retry } = useData('rewards', {}, () => api.affiliates.rewards(me.user.id));
  return (
    <Screen title={t('portal.nav.rewards')}>
      {!data && <PendingCard error={error} retry={retry} lines={4} height="2.5rem" />}
      {data && data.rules.length > 0 && (
        <Card title={t('portal.rewards.rules')}>
          <p class="muted">{t('portal.rewards.order')}</p>
          <ol class="reward-sentences">
            {data.rules.map(({ id, sentence }) => {
              const step = data.steps.find(({ rule_id }) => rule_id === id);
              return (
                <li key={id}>
                  <p>{sentence}</p>
                  {step && <StepProgress step={step} />}
                </li>
              );
            })}
          </ol>
        </Card>
      )}
      {data && (
        <Card
          title={data.rules.length > 0 ? t('portal.rewards.otherwise') : t('portal.rewards.all')}
        >
          <ul class="reward-sentences">
            {data.built_in.map(({ name, sentence }, i) => (
              <li key={`${name} ${i}`}>{sentence}</li>
            ))}
          </ul>
        </Card>
      )}
      {data && data.bonuses.length > 0 && (
        <Card title={t('portal.rewards.bonuses')}>
          <ul class="reward-sentences">
            {data.bonuses.map((bonus) => (
              <li key={bonus.id}>
                <p>{bonus.sentence}</p>
                <BonusProgress bonus={bonus} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Screen>
  );
}
