import { Link, useParams } from 'wouter-preact';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { Thread } from '../portal/thread.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { t } from '../../../web/words.ts';

const LIST = '/console/messages';

/** The thread with one affiliate. */
export function MessagesDetail() {
  const id = Number(useParams<{ id: string }>().id);
  const { data, error, retry } = useData('affiliates', { id, part: 'name' }, () =>
    api.affiliates.get(id),
  );
  return (
    <Screen
      title={data?.user.display_name ?? t('console.nav.messages')}
      back={{ href: LIST, label: t('console.nav.messages') }}
      aside={
        data && <Link href={`/console/affiliates/${id}`}>{t('console-messages.toAffiliate')}</Link>
      }
    >
      {data ? (
        <Thread
          key={id}
          affiliateId={id}
          side="team"
          path={`${LIST}/${id}`}
          other={t('console-messages.team')}
          none={t('console-messages.noneText')}
        />
      ) : (
        <PendingCard error={error} retry={retry} lines={6} />
      )}
    </Screen>
  );
}
