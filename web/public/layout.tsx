import type { ComponentChildren } from 'preact';
import { languages, type Language } from '../../src/shared/languages.ts';
import { Card } from '../ui/card.tsx';
import { currentLanguage, t } from '../words.ts';
import '../ui/base.css';
import './layout.css';

const ownNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
};

/** The frame of every public page: the store's name, the content, and the choice of language. */
export function Layout({ siteName, children }: { siteName: string; children: ComponentChildren }) {
  return (
    <div class="page">
      <header>
        <a href="/">{siteName}</a>
      </header>
      <main id="content">
        <Card>{children}</Card>
      </main>
      <footer>
        <nav aria-label={t('common.language')}>
          <ul>
            {languages.map((language) => (
              <li key={language}>
                <a
                  href={`?lang=${language}`}
                  lang={language}
                  hreflang={language}
                  aria-current={language === currentLanguage() ? 'true' : undefined}
                >
                  {ownNames[language]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </footer>
    </div>
  );
}
