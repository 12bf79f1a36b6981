import { Link } from 'wouter-preact';
import { EmptyState } from '../ui/empty-state.tsx';
import { t } from '../words.ts';
import { Screen } from './screen.tsx';

export function NotFound() {
  return (
    <Screen title={t('portal.notFound.title')}>
      <EmptyState
        title={t('portal.notFound.empty')}
        action={
          <Link class="button" href="/app">
            {t('portal.notFound.action')}
          </Link>
        }
      >
        {t('portal.notFound.text')}
      </EmptyState>
    </Screen>
  );
}
