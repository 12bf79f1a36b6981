import { useLayoutEffect } from 'preact/hooks';
import type { LazyScreen } from './lazy-screen.tsx';

const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/** Loads what a person may need next with the first sign of one, so that no visit waits for it. */
export function usePreload(...screens: readonly Pick<LazyScreen, 'preload'>[]): void {
  useLayoutEffect(() => {
    const seen = new AbortController();
    const load = () => {
      seen.abort();
      for (const { preload } of screens) preload();
    };
    for (const sign of SIGNS) addEventListener(sign, load, { signal: seen.signal });
    return () => seen.abort();
  }, []);
}
