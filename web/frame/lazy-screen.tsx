import { signal } from '@preact/signals';
import type { ComponentChild, FunctionComponent } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { loadPart, reloadWhenReachable } from '../new-version.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** A screen, or a part of one, whose code is loaded when it is opened, or earlier by `preload`. */
export interface LazyScreen<P = object> {
  readonly View: FunctionComponent<P>;
  preload(): void;
}

/** `waiting` is shown while it loads: nothing for a part that is empty most of the time. */
export function lazyScreen<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  waiting: ComponentChild = <Skeleton lines={6} />,
): LazyScreen<P> {
  const state = signal<{ Loaded?: FunctionComponent<P>; error?: unknown }>({});
  let running: Promise<void> | undefined;
  const preload = () => {
    if (state.peek().Loaded) return;
    running ??= loadPart(load)
      .then((Loaded) => void (state.value = { Loaded }))
      .catch((error: unknown) => void (state.value = { error }))
      .finally(() => (running = undefined));
  };
  const View = (props: P) => {
    const { Loaded, error } = state.value;
    if (Loaded) return <Loaded {...props} />;
    if (error !== undefined) return <NotLoaded error={error} />;
    preload();
    return waiting;
  };
  return { View, preload };
}

function NotLoaded({ error }: { error: unknown }) {
  useLayoutEffect(reloadWhenReachable, []);
  return <ErrorState error={error} retry={() => location.reload()} />;
}
