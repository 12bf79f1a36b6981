import { signal } from '@preact/signals';

const spoken = signal('');

/** For the next frame: the result of a change and the new state of a list often come together. */
let waiting: string[] = [];

/** Lets screen readers say what has just happened on the screen. */
export function announce(text: string): void {
  waiting.push(text);
  if (waiting.length > 1) return;
  // The same text again is read only if the place was empty between.
  spoken.value = '';
  requestAnimationFrame(() => {
    spoken.value = waiting.join(' ');
    waiting = [];
  });
}

/** Always present: screen readers read what comes into a place that they know. */
export function Announcer() {
  return (
    <div class="visually-hidden" role="status" data-announcer>
      {spoken.value}
    </div>
  );
}
