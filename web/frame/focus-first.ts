import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Moves the focus to the first field of an element: for what is shown in a dialog that opened before it was loaded. */
export function useFocusFirst<E extends HTMLElement>(): RefObject<E> {
  const element = useRef<E>(null);
  useLayoutEffect(() => element.current!.querySelector('input')?.focus(), []);
  return element;
}
