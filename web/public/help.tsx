import type { GuideReader } from '../../src/web-contract/guides.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';
import { Button } from '../ui/button.tsx';
import { currentLanguage, t, type WordKey } from '../words.ts';
import type { Page } from './message-pages.tsx';
import './help.css';

const READERS: Record<GuideReader, WordKey> = {
  owner: 'public.help.owner',
  affiliate: 'public.help.affiliate',
  integrator: 'public.help.integrator',
};

/** All guides by their readers. */
function HelpPage({ readers }: PageProps['help']) {
  return (
    <div class="help">
      <h1>{t('public.help.title')}</h1>
      <SearchForm query="" />
      <InEnglish />
      <div class="help-readers">
        {readers.map(({ reader, guides }) => (
          <section key={reader} aria-labelledby={reader}>
            <h2 id={reader}>{t(READERS[reader])}</h2>
            <ul class="help-list" lang="en">
              {guides.map(({ name, title, about }) => (
                <li key={name}>
                  <a href={`/help/${name}`}>{title}</a>
                  <p>{about}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

function HelpSearchPage({ query, hits }: PageProps['help-search']) {
  return (
    <div class="help">
      <BackToGuides />
      <h1>{t('public.help.title')}</h1>
      <SearchForm query={query} />
      <InEnglish />
      <p role="status">
        {hits.length === 0
          ? t('public.help.nothing', { query })
          : t('public.help.hits', { count: hits.length, query })}
      </p>
      <ol class="help-list help-hits" lang="en">
        {hits.map(({ title, heading, href, excerpt }) => (
          <li key={href}>
            <a href={href}>{heading === undefined ? title : `${title} › ${heading}`}</a>
            <p>
              {excerpt.map(({ text, isMatch }, i) =>
                isMatch ? <mark key={i}>{text}</mark> : text,
              )}
            </p>
          </li>
        ))}
      </ol>
    </div>
  );
}

function GuidePage({ name, title, html, contents }: PageProps['guide']) {
  return (
    <div class="guide">
      <BackToGuides />
      {/* Beside the text where there is room, else below the title, folded. One of the two is shown. */}
      {contents.length > 0 && (
        <nav class="guide-side" aria-label={t('public.help.contents')}>
          <p>{t('public.help.contents')}</p>
          <Contents contents={contents} />
        </nav>
      )}
      <article>
        <h1 lang="en">{title}</h1>
        {contents.length > 0 && (
          <details class="guide-fold">
            <summary>{t('public.help.contents')}</summary>
            <nav aria-label={t('public.help.contents')}>
              <Contents contents={contents} />
            </nav>
          </details>
        )}
        {/* Compiled by the build from the files of docs/, with anything like HTML in them escaped. */}
        <div class="guide-text" lang="en" dangerouslySetInnerHTML={{ __html: html }} />
      </article>
      <p class="guide-end">
        <a class="lone-link" href={`/help/${name}.md`}>
          {t('public.help.markdown')}
        </a>
      </p>
    </div>
  );
}

function Contents({ contents }: Pick<PageProps['guide'], 'contents'>) {
  return (
    <ul lang="en">
      {contents.map(({ anchor, level, heading }) => (
        <li key={anchor} data-level={level}>
          <a href={`#${anchor}`}>{heading}</a>
        </li>
      ))}
    </ul>
  );
}

function SearchForm({ query }: { query: string }) {
  return (
    <form class="help-search" action="/help" role="search">
      <label class="visually-hidden" for="q">
        {t('public.help.search')}
      </label>
      <input
        id="q"
        name="q"
        type="search"
        value={query}
        maxLength={200}
        placeholder={t('public.help.search')}
        enterkeyhint="search"
      />
      <Button>{t('public.help.find')}</Button>
    </form>
  );
}

function BackToGuides() {
  return (
    <p class="help-back">
      <a class="lone-link" href="/help">
        {t('public.help.all')}
      </a>
    </p>
  );
}

function InEnglish() {
  if (currentLanguage() === 'en') return null;
  return <p class="muted">{t('public.help.inEnglish')}</p>;
}

export const helpPages = {
  help: { view: HelpPage, title: () => t('public.help.title'), isWide: true },
  'help-search': {
    view: HelpSearchPage,
    title: ({ query }) => `${query} · ${t('public.help.title')}`,
    isWide: true,
  },
  guide: {
    view: GuidePage,
    title: ({ title }) => title,
    description: ({ about }) => about,
    path: ({ name }) => `/help/${name}`,
    isWide: true,
  },
} satisfies { [N in 'help' | 'help-search' | 'guide']: Page<PageProps[N]> };
