import { render, type ComponentChild } from 'preact';
import { languages, type Language } from '../src/shared/languages.ts';
import { affiliateWords } from '../src/web-contract/affiliate-words.ts';
import { ErrorBoundary } from './frame/error-boundary.tsx';
import { keepLanguage } from './keep-language.ts';
import { loadPart, reloadWhenReachable } from './new-version.ts';
import { loadSession, onSignOutElsewhere, signInPath, type Session } from './session.ts';
import { ErrorState } from './ui/error-state.tsx';
import { isPassing, pause, waitMsAfter } from './waiting.ts';
import { useWords, type Words } from './words.ts';

type LoadWords = () => Promise<Words>;
export type TextLoaders = Partial<Readonly<Record<Language, LoadWords>>> & {
  readonly en: LoadWords;
};

/**
 * Starts the portal or the console in the language of the page, then in that of the person's profile. Words and
 * session are loaded at the same time. `view` returns undefined while the browser is on its way to another page. While
 * the service does not answer, or refuses because there were too many calls, the page says so and tries again by itself.
 */
export async function startApp(
  load: TextLoaders,
  view: (session: Session) => ComponentChild | undefined,
): Promise<void> {
  const root = document.getElementById('app')!;
  const { lang } = document.documentElement;
  const words = useLanguage(load, languages.find((known) => known === lang) ?? 'en', root);
  for (let attempt = 0; ; attempt += 1) {
    const [loaded, session] = await Promise.allSettled([words, loadSession()]);
    if (loaded.status === 'rejected') return showNoWords(root, loaded.reason);
    if (session.status === 'fulfilled') {
      if (!session.value) return;
      await useOwnLanguage(load, session.value.account.language, root);
      const shown = view(session.value);
      if (shown === undefined) return;
      render(<ErrorBoundary>{shown}</ErrorBoundary>, root);
      onSignOutElsewhere(() => {
        // Also what is typed, which would ask before the page is left.
        render(null, root);
        location.replace(signInPath());
      });
      return;
    }
    const error: unknown = session.reason;
    const pressed = Promise.withResolvers<void>();
    render(
      <main>
        <ErrorState error={error} retry={pressed.resolve} />
      </main>,
      root,
    );
    const later = isPassing(error) ? [pause(waitMsAfter(error, attempt))] : [];
    await Promise.race([pressed.promise, ...later]);
  }
}

/** In English, because what failed are the words. */
function showNoWords(root: HTMLElement, error: unknown): void {
  console.error(error);
  root.textContent =
    'This page could not be loaded. It is loaded again as soon as the service answers.';
  reloadWhenReachable();
}

async function useLanguage(load: TextLoaders, wanted: Language, root: HTMLElement): Promise<void> {
  const language = load[wanted] ? wanted : 'en';
  const { affiliateWord: configured } = root.dataset;
  const affiliateWord = affiliateWords.find((known) => known === configured) ?? 'affiliate';
  useWords(language, await loadPart(load[language]!), { affiliateWord });
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
