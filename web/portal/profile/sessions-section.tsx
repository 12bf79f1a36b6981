import type { OwnSession } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { Card } from '../../ui/card.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Form } from '../../ui/form.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';

/** Where the person is signed in, and how to end that. */
export function SessionsSection() {
  const { data, error, retry } = useData('sessions', {}, () => api.account.sessions.list());
  const others = data?.items.filter(({ current }) => !current) ?? [];
  return (
    <Card title={t('portal-profile.sessions')}>
      <p class="muted">{t('portal-profile.sessionsText')}</p>
      {!data && <Pending error={error} retry={retry} lines={3} />}
      {data && (
        <ItemList
          items={data.items.map((session) => ({
            key: session.id,
            title: session.device,
            detail: <SessionFacts session={session} />,
            action: session.current ? (
              <Pill kind="good">{t('portal-profile.thisDevice')}</Pill>
            ) : (
              <Form
                kind="quiet"
                action={t('portal-profile.endSession')}
                submit={async (_values, options) => {
                  await api.account.sessions.delete(session.id, options);
                  await refresh('sessions');
                }}
              />
            ),
          }))}
        />
      )}
      {others.length > 0 && (
        <Form
          kind="danger"
          action={t('portal-profile.endOthers')}
          submit={async (_values, options) => {
            await api.account.sessions.deleteAll(options);
            await refresh('sessions');
          }}
        />
      )}
    </Card>
  );
}

function SessionFacts({ session }: { session: OwnSession }) {
  return (
    <>
      {session.address} · {t('portal-profile.lastSeen')} <Moment date={session.last_seen} />
    </>
  );
}
