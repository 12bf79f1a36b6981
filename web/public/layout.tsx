import type { ComponentChildren } from 'preact';
import { languages, type Language } from '../../src/shared/languages.ts';
import { ownNames } from '../language-names.ts';
import { Card } from '../ui/card.tsx';
import { SiteMark } from '../ui/site-mark.tsx';
import { currentLanguage, t } from '../words.ts';
import '../ui/base.css';
import './layout.css';

interface LayoutProps {
  siteName: string;
  logo: string | undefined;
  /** Where the name of the store leads. */
  home: string;
  /** The query of the address. */
  search: string;
  /** A page that divides its width itself has no card around it. */
  isWide: boolean;
  children: ComponentChildren;
}

/** The frame of every public page: the store's name, the content, and the choice of language. */
export function Layout({ siteName, logo, home, search, isWide, children }: LayoutProps) {
  return (
    <div class="page" data-wide={isWide ? 'true' : undefined}>
      <header>
        <a href={home}>
          <SiteMark name={siteName} logo={logo} />
        </a>
      </header>
      <main id="content">{isWide ? children : <Card>{children}</Card>}</main>
      <footer>
        <nav aria-label={t('common.language')}>
          <ul>
            {languages.map((language) => (
              <li key={language}>
                <a
                  href={hrefIn(language, search)}
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

/** The same page in another language: the rest of the query, such as a token, stays. */
function hrefIn(language: Language, search: string): string {
  const query = new URLSearchParams(search);
  query.set('lang', language);
  return `?${query}`;
}
