import { render, type ComponentChild } from 'preact';
import { languages, type Language } from '../src/shared/languages.ts';
import { affiliateWords } from '../src/web-contract/affiliate-words.ts';
import { ErrorBoundary } from './frame/error-boundary.tsx';
import { keepLanguage } from './keep-language.ts';
import { loadSession, type Session } from './session.ts';
import { ErrorState } from './ui/error-state.tsx';
import { useWords, type Words } from './words.ts';

type LoadWords = () => Promise<Words>;
export type TextLoaders = Partial<Readonly<Record<Language, LoadWords>>> & {
  readonly en: LoadWords;
};

/**
 * Starts the portal or the console in the language of the page, then in that of the person's profile. Words and
 * session are loaded at the same time. `view` returns undefined while the browser is on its way to another page.
 */
export async function startApp(
  load: TextLoaders,
  view: (session: Session) => ComponentChild | undefined,
): Promise<void> {
  const root = document.getElementById('app')!;
  const { lang } = document.documentElement;
  const [words, session] = await Promise.allSettled([
    useLanguage(load, languages.find((known) => known === lang) ?? 'en', root),
    loadSession(),
  ]);
  if (words.status === 'rejected') throw words.reason;
  if (session.status === 'rejected') {
    const error: unknown = session.reason;
    render(
      <main>
        <ErrorState error={error} retry={() => void startApp(load, view)} />
      </main>,
      root,
    );
  } else if (session.value) {
    await useOwnLanguage(load, session.value.account.language, root);
    const shown = view(session.value);
    if (shown !== undefined) render(<ErrorBoundary>{shown}</ErrorBoundary>, root);
  }
}

async function useLanguage(load: TextLoaders, wanted: Language, root: HTMLElement): Promise<void> {
  const language = load[wanted] ? wanted : 'en';
  const { affiliateWord: configured } = root.dataset;
  const affiliateWord = affiliateWords.find((known) => known === configured) ?? 'affiliate';
  useWords(language, await load[language]!(), { affiliateWord });
  document.documentElement.lang = language;
}

/** The cookie lets the next page begin with the language of the profile. */
async function useOwnLanguage(
  load: TextLoaders,
  own: Language | '',
  root: HTMLElement,
): Promise<void> {
  if (own === '' || own === document.documentElement.lang) return;
  await useLanguage(load, own, root);
  keepLanguage(own);
}
