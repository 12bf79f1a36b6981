import { Link } from 'wouter-preact';
import { TributaryError } from '../../sdk/src/index.ts';
import { sentenceOf } from '../error-words.ts';
import { isLimit, isPassing } from '../waiting.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { Skeleton } from './skeleton.tsx';
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
      <p class="muted">{title === undefined ? prospectOf(error) : sentenceOf(error)}</p>
      <div>
        {isMissing && title === undefined ? (
          <Link class="button" data-kind="quiet" href={listPath()}>
            {t('common.notFound.list')}
          </Link>
        ) : (
          <Button kind="quiet" onClick={retry}>
            {t('common.retry')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** `/console/payouts` for `/console/payouts/14`, and the same list for a dialog over it, or where it is written. */
const listPath = () => location.pathname.replace(/\/\d[^/]*(\/edit)?$/, '');

/** What failed, and whether it is tried again by itself, as loading is. */
function prospectOf(error: unknown): string {
  if (isLimit(error)) return t('common.connection.limited');
  return isPassing(error) ? `${sentenceOf(error)} ${t('common.retrying')}` : sentenceOf(error);
}

interface PendingProps {
  error: unknown;
  retry: () => void;
  lines?: number;
  height?: string;
}

/** In the place of data that is not there: its height while it is loading, or why it could not be loaded. */
export function Pending({ error, retry, ...size }: PendingProps) {
  return error === undefined ? <Skeleton {...size} /> : <ErrorState error={error} retry={retry} />;
}

/** The same in the place of a card. */
export function PendingCard(props: PendingProps) {
  return (
    <Card>
      <Pending {...props} />
    </Card>
  );
}
