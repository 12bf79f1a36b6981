import { signal } from '@preact/signals';
import load from 'texts:said';
import { loadPart } from './new-version.ts';
import { translated, type Sentences } from './translated.ts';
import { currentLanguage } from './words.ts';

/** Loaded with the first sentence, because most pages show none. */
const texts = signal<Sentences>({});
let isLoading = false;

/** A sentence that the service stored or sent in English, such as why a store does not answer, in the current language. */
export function said(sentence: string): string {
  if (sentence === '') return '';
  if (!isLoading) {
    isLoading = true;
    void loadTexts();
  }
  return translated(sentence, texts.value);
}

async function loadTexts(): Promise<void> {
  const loadOwn = load[currentLanguage()];
  if (loadOwn) texts.value = (await loadPart(loadOwn)).said;
}
