import { render } from 'preact';
import { languages, type Language } from '../../src/shared/languages.ts';
import { useWords, type Words } from '../words.ts';
import { Portal } from './portal.tsx';

/** One chunk per language; the page preloads the right one. */
const loaders: Record<Language, () => Promise<{ default: Words }>> = {
  de: () => import('../words/de/portal-words.ts'),
  en: () => import('../words/en/portal-words.ts'),
  es: () => import('../words/es/portal-words.ts'),
  fr: () => import('../words/fr/portal-words.ts'),
  pt: () => import('../words/pt/portal-words.ts'),
};

const { lang } = document.documentElement;
const language = languages.find((known) => known === lang) ?? 'en';
const { default: words } = await loaders[language]();
useWords(language, words);
render(<Portal />, document.getElementById('portal')!);
