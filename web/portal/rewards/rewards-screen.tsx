import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Screen } from '../../frame/screen.tsx';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { t } from '../../words.ts';
import './rewards-screen.css';

/** The rules that concern the affiliate, as sentences, and what applies where none of them does. */
export function RewardsScreen() {
  const { me } = useSession();
  const { data, error, retry } = useData('rewards', {}, () => api.affiliates.rewards(me.user.id));
  return (
    <Screen title={t('portal.nav.rewards')}>
      {!data && (
        <Card>
          <Pending error={error} retry={retry} lines={4} height="2.5rem" />
        </Card>
      )}
      {data && data.rules.length > 0 && (
        <Card title={t('portal.rewards.rules')}>
          <p class="muted">{t('portal.rewards.order')}</p>
          <ol class="reward-sentences">
            {data.rules.map(({ id, sentence }) => (
              <li key={id}>{sentence}</li>
            ))}
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
    </Screen>
  );
}
