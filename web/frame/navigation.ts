import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
// Its question must come before the router sees the way back.
import './unsaved.ts';

const firstAddress = location.href;
let isMoved = false;

/** Whether another address was shown since the page was loaded. */
export function hasNavigated(): boolean {
  isMoved ||= location.href !== firstAddress;
  return isMoved;
}

const positions = new Map<string, number>();
let isGoingBack = false;
addEventListener('popstate', () => (isGoingBack = true));

/** A new screen begins at its top; going back leads to where the reader was. */
export function useScrollPositions(): void {
  const [path] = useLocation();
  const search = useSearch();
  const address = `${path}?${search}`;
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    const remember = () => positions.set(address, scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [address]);
  const shown = useRef(path);
  useLayoutEffect(() => {
    const isOtherScreen = shown.current !== path;
    shown.current = path;
    const top = isGoingBack ? (positions.get(address) ?? 0) : isOtherScreen ? 0 : undefined;
    isGoingBack = false;
    if (top === undefined) return;
    // After the screen has rendered what is in memory.
    const frame = requestAnimationFrame(() => scrollTo(0, top));
    return () => cancelAnimationFrame(frame);
  }, [address]);
}

/** The address of the current screen with other values in its query; undefined removes one. */
export function withQuery(
  path: string,
  search: string,
  changes: Record<string, string | undefined>,
): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
