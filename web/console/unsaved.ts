import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { warnBeforeLeaving } from '../frame/unsaved.ts';
import { t } from '../words.ts';

const isUnsaved = signal(false);
warnBeforeLeaving(
  () => isUnsaved.value,
  () => t('console.leave'),
);

/** The browser asks before it leaves a changed form. */
export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    isUnsaved.value = isChanged;
    return () => (isUnsaved.value = false);
  }, [isChanged]);
}
