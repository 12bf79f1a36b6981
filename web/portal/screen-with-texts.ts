import type { FunctionComponent } from 'preact';
import { lazyScreen, type LazyScreen } from '../frame/lazy-screen.tsx';
import type { TextLoaders } from '../start-app.tsx';
import { addWords, currentLanguage } from '../words.ts';

/** A screen with texts of its own, which are loaded at the same time as its code. */
export function screenWithTexts(
  texts: TextLoaders,
  load: () => Promise<FunctionComponent>,
): LazyScreen {
  return lazyScreen(async () => {
    const loadWords = texts[currentLanguage()] ?? texts.en;
    const [Screen, words] = await Promise.all([load(), loadWords()]);
    addWords(words);
    return Screen;
  });
}
