import { TributaryError } from '../../sdk/src/index.ts';
import { sentenceOf } from '../error-words.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import './empty-state.css';

interface ErrorStateProps {
  error: unknown;
  retry: () => void;
  /** What failed, if it was not loading. */
  title?: string;
}

/** What could not be loaded, why, and the way out. */
export function ErrorState({ error, retry, title }: ErrorStateProps) {
  const isMissing = error instanceof TributaryError && error.status === 404;
  return (
    <div class="empty-state" role="alert">
      <p class="empty-state-title">
        {title ?? (isMissing ? t('common.notFound') : t('common.loadingFailed'))}
      </p>
      <p class="muted">{sentenceOf(error)}</p>
      <div>
        <Button kind="quiet" onClick={retry}>
          {t('common.retry')}
        </Button>
      </div>
    </div>
  );
}
