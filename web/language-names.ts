import type { Language } from '../src/shared/languages.ts';

/** Each language by its own name, so that its readers find it. */
export const ownNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
};
