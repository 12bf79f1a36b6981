import { Link } from 'wouter-preact';
import { t } from '../words.ts';
import { NextIcon, PreviousIcon } from './icons.tsx';
import './pager.css';

interface PagerProps {
  /** What is paged through, for screen readers. */
  label: string;
  page: number;
  pages: number;
  /** The address of a page. */
  hrefOf(page: number): string;
}

/** The way to the pages before and after. Nothing if there is only one. */
export function Pager({ label, page, pages, hrefOf }: PagerProps) {
  if (pages <= 1 && page <= 1) return null;
  return (
    <nav class="pager" aria-label={label}>
      {page > 1 && (
        <Link class="button" data-kind="quiet" href={hrefOf(page - 1)}>
          <PreviousIcon aria-hidden />
          {t('common.previous')}
        </Link>
      )}
      <span class="muted figures">{t('common.pageOf', { page, pages })}</span>
      {page < pages && (
        <Link class="button" data-kind="quiet" href={hrefOf(page + 1)}>
          {t('common.next')}
          <NextIcon aria-hidden />
        </Link>
      )}
    </nav>
  );
}
