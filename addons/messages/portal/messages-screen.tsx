import { Screen } from '../../../web/frame/screen.tsx';
import { Thread } from './thread.tsx';
import { useSession } from '../../../web/session.ts';
import { t } from '../../../web/words.ts';

/** The thread with the team of the store. */
export function MessagesScreen() {
  const { me, program } = useSession();
  return (
    <Screen title={t('portal.nav.messages')}>
      <Thread
        affiliateId={me.user.id}
        side="affiliate"
        path="/app/messages"
        other={program.name}
        none={t('portal-messages.noneText')}
      />
    </Screen>
  );
}
