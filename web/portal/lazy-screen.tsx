import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** A screen whose code is loaded when it is opened, or earlier by `preload`. */
export interface LazyScreen {
  readonly View: FunctionComponent;
  preload(): void;
}

export function lazyScreen(load: () => Promise<FunctionComponent>): LazyScreen {
  const state = signal<{ Loaded?: FunctionComponent; error?: unknown }>({});
  let running: Promise<void> | undefined;
  const preload = () => {
    if (state.peek().Loaded) return;
    running ??= load()
      .then((Loaded) => void (state.value = { Loaded }))
      .catch((error: unknown) => void (state.value = { error }))
      .finally(() => (running = undefined));
  };
  const View = () => {
    const { Loaded, error } = state.value;
    if (Loaded) return <Loaded />;
    if (error !== undefined) {
      // The files of an older version may be gone: the page itself names the current ones.
      return <ErrorState error={error} retry={() => location.reload()} />;
    }
    preload();
    return <Skeleton lines={6} />;
  };
  return { View, preload };
}
