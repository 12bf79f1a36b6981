import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Loaded } from '../data.ts';
import type { Address } from '../frame/address.ts';
import { announce } from '../frame/announcer.tsx';
import { hasNavigated } from '../frame/navigation.ts';
import { t } from '../words.ts';
import { Card } from './card.tsx';
import { DataTable, type Column } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import { Pending } from './error-state.tsx';
import { FoldCard } from './fold-card.tsx';
import { Pager } from './pager.tsx';
import type { Selection } from './selection.tsx';
import { sortingOf } from './sorting.tsx';

interface ListingProps<Row> {
  /** A heading, where the list is one part of a screen. */
  title?: string;
  /** Whether the list is folded below its heading at first; without it, it cannot be. */
  fold?: 'open' | 'closed' | undefined;
  address: Address;
  /** Names the table for screen readers. */
  caption: string;
  list: Loaded<{ items: readonly Row[]; pages: number }>;
  columns: readonly Column<Row>[];
  keyOf(row: Row): string | number;
  hrefOf?: (row: Row) => string;
  nameOf?: (row: Row) => string;
  selection?: Selection;
  /** The order while the address names none. */
  defaultSort?: string;
  /** Shown if there is nothing at all: says what to do. */
  empty: ComponentChildren;
  /** The names in the address that narrow the list. */
  filters: readonly string[];
  /** How much room it takes while it is loading. */
  lines?: number;
}

/** A page of a list in all its states: loading, failed, nothing yet, nothing that matches, rows. */
export function Listing<Row>(props: ListingProps<Row>) {
  const { address, list, columns, filters, selection } = props;
  const { data, error, retry, stale } = list;
  const hrefOfPage = (page: number) =>
    address.hrefOf({ page: page === 1 ? undefined : String(page) });
  const rows = data?.items.length;
  const said = useRef('');
  useLayoutEffect(() => {
    if (rows === undefined || stale) return;
    // The same rows, loaded again, are no news.
    const shown = `${address.hrefOf({})} ${rows}`;
    if (said.current !== shown && hasNavigated()) announce(t('common.rows', { count: rows }));
    said.current = shown;
  }, [data, stale]);
  const isNarrowed = address.page > 1 || filters.some((name) => address.get(name) !== '');
  const none = Object.fromEntries([...filters, 'page'].map((name) => [name, undefined]));
  const content = (
    <>
      {data ? (
        data.items.length > 0 ? (
          <>
            <DataTable
              caption={props.caption}
              columns={columns}
              rows={data.items}
              keyOf={props.keyOf}
              hrefOf={props.hrefOf}
              nameOf={props.nameOf}
              stale={stale}
              selection={selection}
              sorting={sortingOf(address.sort ?? props.defaultSort, (sort) =>
                address.hrefOf({ sort, page: undefined }),
              )}
            />
            <Pager
              label={t('common.pages')}
              page={address.page}
              pages={data.pages}
              hrefOf={hrefOfPage}
            />
          </>
        ) : isNarrowed ? (
          <EmptyState
            title={t('common.noMatch.title')}
            action={
              <Link class="button" data-kind="quiet" href={address.hrefOf(none)}>
                {t('common.noMatch.action')}
              </Link>
            }
          >
            {t('common.noMatch.text')}
          </EmptyState>
        ) : (
          props.empty
        )
      ) : (
        <Pending error={error} retry={retry} lines={props.lines ?? 12} height="2rem" />
      )}
    </>
  );
  if (!props.fold) return <Card title={props.title}>{content}</Card>;
  return (
    <FoldCard title={props.title} isOpen={props.fold === 'open'}>
      {content}
    </FoldCard>
  );
}
