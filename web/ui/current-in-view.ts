import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** For links beside each other that scroll sideways where they do not fit: the current one comes into view. */
export function useCurrentInView(current: string): RefObject<HTMLElement> {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const nav = box.current!;
    const chosen = nav.querySelector<HTMLElement>('[aria-current]');
    if (!chosen || nav.scrollWidth <= nav.clientWidth) return;
    nav.scrollLeft = chosen.offsetLeft - (nav.clientWidth - chosen.offsetWidth) / 2;
  }, [current]);
  return box;
}
