import { Link } from 'wouter-preact';
import { homePath } from '../api.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { t } from '../words.ts';
import { Screen } from './screen.tsx';

export function NotFound() {
  return (
    <Screen title={t('common.notFound.title')}>
      <EmptyState
        title={t('common.notFound.empty')}
        action={
          <Link class="button" href={homePath()}>
            {t('common.notFound.action')}
          </Link>
        }
      >
        {t('common.notFound.text')}
      </EmptyState>
    </Screen>
  );
}
