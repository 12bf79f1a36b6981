import { useSession } from '../session.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { t } from '../words.ts';
import { Screen } from '../frame/screen.tsx';

/** For people who are signed in and have no coupon: the team of the store, and customers. */
export function Outsider() {
  const { me, program } = useSession();
  return (
    <Screen title={t('portal.nav.home')}>
      <Card>
        {me.is_admin ? (
          <EmptyState
            of="portal.outsider.team"
            action={<LinkButton href="/console">{t('portal.outsider.teamAction')}</LinkButton>}
          />
        ) : (
          <EmptyState
            title={t('portal.outsider.customerTitle')}
            action={
              program.applications_open && (
                <LinkButton href="/apply">{t('portal.outsider.customerAction')}</LinkButton>
              )
            }
          >
            {program.applications_open
              ? t('portal.outsider.customerText')
              : t('portal.outsider.closedText')}
          </EmptyState>
        )}
      </Card>
    </Screen>
  );
}
