import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { ConsoleScreen } from '../screens.ts';

/** How long `g` waits for its letter, and the navigation shows the letters. */
const SEQUENCE_MS = 3_000;

interface Actions {
  openPalette(): void;
  openHelp(): void;
}

/**
 * The keys of the whole console. All but those with Ctrl or ⌘ are off while the person types in a field, and all
 * while a dialog is open.
 */
export function useShortcuts(screens: readonly ConsoleScreen[], actions: Actions): void {
  const [, navigate] = useLocation();
  // With the screen, so that no letter is lost.
  useLayoutEffect(() => {
    let waiting = 0;
    const wait = (isWaiting: boolean) => {
      clearTimeout(waiting);
      waiting = isWaiting ? setTimeout(wait, SEQUENCE_MS, false) : 0;
      for (const { path, letter } of screens) {
        const link = document.querySelector<HTMLElement>(`.console-side a[href="${path}"]`);
        if (isWaiting && link && letter) link.dataset['letter'] = letter;
        else delete link?.dataset['letter'];
      }
    };
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]')) return;
      const key = event.key.toLowerCase();
      if (event.ctrlKey || event.metaKey) {
        if (key !== 'k') return;
        event.preventDefault();
        actions.openPalette();
        return;
      }
      if (isField(event.target)) return;
      const isSecond = waiting !== 0;
      wait(!isSecond && key === 'g');
      if (isSecond) {
        const screen = screens.find(({ letter }) => letter === key);
        if (!screen) return;
        event.preventDefault();
        navigate(screen.path);
      } else if (key === '/') {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
        if (field) field.focus();
        else actions.openPalette();
      } else if (key === '?') {
        event.preventDefault();
        actions.openHelp();
      }
    };
    addEventListener('keydown', press);
    return () => {
      wait(false);
      removeEventListener('keydown', press);
    };
  }, [screens.length]);
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
