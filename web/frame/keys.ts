import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keys of a screen, each a single letter. They do nothing while a person types, while a dialog is open, and together
 * with a modifier, which belongs to the browser.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  // With the screen, so that no letter is lost.
  useLayoutEffect(() => {
    let leavingUntilMs = 0;
    const press = (event: KeyboardEvent) => {
      // The letter after `g` leads to another screen; see use-shortcuts.ts.
      const isLeaving = performance.now() < leavingUntilMs;
      leavingUntilMs = event.key === 'g' ? performance.now() + SEQUENCE_MS : 0;
      if (isLeaving || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.target instanceof Element && event.target.closest(TYPING)) return;
      if (document.querySelector('dialog[open]')) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

const SEQUENCE_MS = 1_500;
const TYPING = 'input:not([type="checkbox"]), select, textarea, [contenteditable]';
