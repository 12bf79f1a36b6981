import { render } from 'preact';
import load from 'texts:portal';
import { Router } from 'wouter-preact';
import { affiliateWords } from '../../src/web-contract/affiliate-words.ts';
import { languages, type Language } from '../../src/shared/languages.ts';
import { keepLanguage } from './keep-language.ts';
import { ErrorBoundary } from '../frame/error-boundary.tsx';
import { loadSession } from '../session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { withView } from '../view-as.ts';
import { useWords, type Words } from '../words.ts';
import { Portal } from './portal.tsx';

const { lang } = document.documentElement;
const language = languages.find((known) => known === lang) ?? 'en';
const root = document.getElementById('app')!;

const word = affiliateWords.find((known) => known === root.dataset['affiliateWord']) ?? 'affiliate';

/** Words and session are loaded at the same time. */
async function start(): Promise<void> {
  const [words, session] = await Promise.allSettled([load[language](), loadSession()]);
  if (words.status === 'rejected') throw words.reason;
  setWords(language, words.value);
  if (session.status === 'rejected') {
    const retry = () => void start();
    const error: unknown = session.reason;
    render(
      <main>
        <ErrorState error={error} retry={retry} />
      </main>,
      root,
    );
  } else if (session.value) {
    await useOwnLanguage(session.value.account.language);
    render(
      <Router
        hrefs={withView}
        aroundNav={(navigate, to, options) => navigate(withView(to), options)}
      >
        <ErrorBoundary>
          <Portal />
        </ErrorBoundary>
      </Router>,
      root,
    );
  }
}

function setWords(chosen: Language, loaded: Words): void {
  useWords(chosen, loaded, { affiliateWord: word });
}

/** The language of the profile. The cookie lets the next page begin with it. */
async function useOwnLanguage(own: Language | ''): Promise<void> {
  if (own === '' || own === language) return;
  setWords(own, await load[own]());
  document.documentElement.lang = own;
  keepLanguage(own);
}

await start();
