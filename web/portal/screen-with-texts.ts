import type { FunctionComponent } from 'preact';
import { lazyScreen, type LazyScreen } from '../frame/lazy-screen.tsx';
import { withTexts } from '../frame/with-texts.ts';
import type { TextLoaders } from '../start-app.tsx';

/** A screen with texts of its own, which are loaded at the same time as its code. */
export function screenWithTexts(
  texts: TextLoaders,
  load: () => Promise<FunctionComponent>,
): LazyScreen {
  return lazyScreen(withTexts(texts, load));
}
