import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { GivenUp } from '../act.ts';
import { sentenceOf } from '../error-words.ts';
import { Notice } from '../ui/notice.tsx';

/** What failed without a place of its own to say so. */
const unexpected = signal<{ reason: unknown } | undefined>(undefined);

addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof GivenUp) event.preventDefault();
  else unexpected.value = { reason: event.reason };
});

/** Says that something failed, so that no button does nothing. Gone on the next screen. */
export function UnexpectedNotice() {
  const [path] = useLocation();
  useLayoutEffect(() => () => void (unexpected.value = undefined), [path]);
  const error = unexpected.value;
  return error ? <Notice kind="bad">{sentenceOf(error.reason)}</Notice> : null;
}
