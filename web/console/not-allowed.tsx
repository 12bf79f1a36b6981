import { Link } from 'wouter-preact';
import { Screen } from '../frame/screen.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { t } from '../words.ts';

/** For a manager who opens the address of an administrator's screen. The API refuses its calls as well. */
export function NotAllowed() {
  return (
    <Screen title={t('console.notAllowed.title')}>
      <Card>
        <EmptyState
          title={t('console.notAllowed.title')}
          action={
            <Link class="button" href="/console">
              {t('console.notAllowed.action')}
            </Link>
          }
        >
          {t('console.notAllowed.text')}
        </EmptyState>
      </Card>
    </Screen>
  );
}
