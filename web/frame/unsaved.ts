import { effect } from '@preact/signals';

/** While this is true, the browser asks before it leaves or reloads the page. It reads signals. */
export function warnBeforeLeaving(isUnsaved: () => boolean): void {
  effect(() => {
    if (!isUnsaved()) return;
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  });
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
