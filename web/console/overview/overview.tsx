import { Screen } from '../../frame/screen.tsx';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { t } from '../../words.ts';
import './words.ts';

/** What needs the team, and how the program is doing. */
export function Overview() {
  const { account } = useSession();
  return (
    <Screen title={t('console.nav.overview')}>
      <Card>
        <p>{t('console-overview.welcome', { name: account.user.display_name })}</p>
      </Card>
    </Screen>
  );
}
