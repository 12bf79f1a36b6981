import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useErrorBoundary } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { TributaryError } from '../../sdk/src/index.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { t } from '../words.ts';

type Caught = readonly [error: unknown, reset: () => void];

/** An error of the program while it shows something: says so, and offers a reload. Another screen may work. */
export function ErrorBoundary({ children }: { children: ComponentChildren }) {
  const [path] = useLocation();
  // The hook declares what was thrown as any.
  const [error, reset] = useErrorBoundary((thrown) => console.error(thrown)) as Caught;
  useLayoutEffect(() => {
    if (error !== undefined) reset();
  }, [path]);
  if (error === undefined) return <>{children}</>;
  const id = error instanceof TributaryError ? error.requestId : undefined;
  return (
    <div role="alert">
      <EmptyState
        isScreen
        title={t('common.failed.title')}
        action={<Button onClick={() => location.reload()}>{t('common.failed.reload')}</Button>}
      >
        {t('common.failed.text')} <code>{[error, id].filter(Boolean).join(' · ')}</code>
      </EmptyState>
    </div>
  );
}
