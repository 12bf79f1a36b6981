import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { warnBeforeLeaving } from '../frame/unsaved.ts';

const unsaved = signal<string>();
warnBeforeLeaving(
  () => unsaved.value !== undefined,
  () => unsaved.value ?? '',
);

/** The browser asks before it leaves a changed form. */
export function useUnsaved(isChanged: boolean, question: string): void {
  useLayoutEffect(() => {
    unsaved.value = isChanged ? question : undefined;
    return () => (unsaved.value = undefined);
  }, [isChanged, question]);
}
