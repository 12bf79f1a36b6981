import { signal } from '@preact/signals';

const spoken = signal('');

/** Lets screen readers say what has just happened on the screen. */
export function announce(text: string): void {
  // The same text again is read only if the place was empty between.
  spoken.value = '';
  requestAnimationFrame(() => (spoken.value = text));
}

/** Always present: screen readers read what comes into a place that they know. */
export function Announcer() {
  return (
    <div class="visually-hidden" role="status" data-announcer>
      {spoken.value}
    </div>
  );
}
