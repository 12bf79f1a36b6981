import type { FunctionComponent } from 'preact';
import type { TextLoaders } from '../start-app.tsx';
import { addWords, currentLanguage } from '../words.ts';

/** Loads a component, and the texts that it alone has, at the same time. */
export function withTexts<P extends object>(
  texts: TextLoaders,
  load: () => Promise<FunctionComponent<P>>,
): () => Promise<FunctionComponent<P>> {
  return async () => {
    const loadWords = texts[currentLanguage()] ?? texts.en;
    const [Loaded, words] = await Promise.all([load(), loadWords()]);
    addWords(words);
    return Loaded;
  };
}
