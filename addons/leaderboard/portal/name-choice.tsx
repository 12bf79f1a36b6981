import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { isSuspended, useSession } from '../../../web/session.ts';
import { Card } from '../../../web/ui/card.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { SwitchField } from '../../../web/ui/switch-field.tsx';
import { t } from '../../../web/words.ts';

/** Whether other affiliates read the name on the leaderboard. */
export function NameChoice() {
  const { me } = useSession();
  const { data } = useData('leaderboard', {}, () => api.leaderboard.get());
  if (!data || isSuspended.value) return null;
  return (
    <Card title={t('portal-leaderboard.title')}>
      <Form
        action={t('common.save')}
        done={t('common.saved')}
        submit={async (values, options) => {
          const named = values['named'] !== undefined;
          await api.affiliates.leaderboard.set(me.user.id, { named }, options);
          await refresh('leaderboard');
        }}
      >
        <SwitchField
          name="named"
          label={t('portal-leaderboard.agree')}
          hint={t('portal-leaderboard.agreeHint')}
          isOn={data.own.named}
        />
      </Form>
    </Card>
  );
}
