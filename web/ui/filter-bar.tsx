import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useId, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { Loaded } from '../data.ts';
import type { Address } from '../frame/address.ts';
import { t } from '../words.ts';
import type { Option } from './field.tsx';
import { FilterIcon, SearchIcon } from './icons.tsx';
import './filter-bar.css';

interface Filter {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  /** Besides `any`, which is not in the address. */
  readonly options: readonly Option[];
}

interface FilterBarProps {
  address: Address;
  /** What is narrowed: without a filter and without a row there is nothing to narrow, and the bar is not shown. */
  list?: Loaded<{ items: readonly unknown[] }>;
  /** The label of the search field, which says what is searched. Its value is `q` in the address. */
  search?: string;
  filters?: readonly Filter[];
  /** Shows a range of days: `from` and `to` in the address. */
  dates?: boolean;
  /** Fields for numbers, such as the ends of a range of amounts. */
  numbers?: readonly { readonly name: string; readonly label: string }[];
  /** The orders that a phone offers, where the table has no headings. */
  sorts?: readonly Option[];
  /** At the end, such as a button for CSV. */
  children?: ComponentChildren;
}

/**
 * Search, filters and range of days of a list. All of it is in the address, so that each view can be shared. On a phone
 * everything but the search waits behind a button, so that the list begins on the first screen.
 */
export function FilterBar(props: FilterBarProps) {
  const {
    address,
    list,
    search,
    filters = [],
    dates = false,
    numbers = [],
    sorts = [],
    children,
  } = props;
  const [, navigate] = useLocation();
  const choose = (name: string, value: string) =>
    navigate(address.hrefOf({ [name]: value, page: undefined }));
  const names = [
    ...(search === undefined ? [] : ['q']),
    ...filters.map(({ name }) => name),
    ...(dates ? ['from', 'to'] : []),
    ...numbers.map(({ name }) => name),
  ];
  const further = names.filter((name) => name !== 'q');
  const set = further.filter((name) => address.get(name) !== '').length;
  const isFiltered = set > 0 || address.get('q') !== '';
  const none = Object.fromEntries([...names, 'page'].map((name) => [name, undefined]));
  const [isOpen, setOpen] = useState(set > 0);
  const id = useId();
  const isEmpty = list?.data?.items.length === 0 && !list.stale;
  if (isEmpty && !isFiltered && address.page === 1) return null;
  return (
    <div class="filter-bar">
      {search !== undefined && <SearchField address={address} label={search} />}
      {further.length + sorts.length > 0 && (
        <button
          type="button"
          class="button filter-toggle"
          data-kind="quiet"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <FilterIcon aria-hidden />
          {set > 0 ? t('console.table.filtersSet', { count: set }) : t('console.table.filters')}
        </button>
      )}
      <div class="filter-more" id={id} data-open={isOpen}>
        {filters.map(({ name, label, options }) => (
          <select
            key={name}
            aria-label={label}
            value={address.get(name)}
            data-set={address.get(name) !== ''}
            onChange={(event) => choose(name, event.currentTarget.value)}
          >
            <option value="">{t('console.table.any', { label })}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        ))}
        {dates && <DateFields address={address} />}
        {numbers.map(({ name, label }) => (
          <input
            key={name}
            class="filter-number"
            type="number"
            min="0"
            step="any"
            inputMode="decimal"
            aria-label={label}
            placeholder={label}
            value={address.get(name)}
            onChange={(event) => choose(name, event.currentTarget.value)}
          />
        ))}
        {sorts.length > 0 && (
          <select
            class="filter-sort"
            aria-label={t('console.table.sort')}
            value={address.get('sort')}
            onChange={(event) => choose('sort', event.currentTarget.value)}
          >
            <option value="">{t('console.table.sortDefault')}</option>
            {sorts.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        )}
      </div>
      {isFiltered && (
        <Link class="filter-clear" href={address.hrefOf(none)}>
          {t('common.noMatch.action')}
        </Link>
      )}
      {children !== undefined && <span class="filter-end">{children}</span>}
    </div>
  );
}

/** A range of days: `from` and `to` in the address. */
export function DateFields({ address }: { address: Address }) {
  const [, navigate] = useLocation();
  return (
    <span class="filter-dates">
      {(['from', 'to'] as const).map((name) => (
        <label key={name} class="filter-date">
          <span>{name === 'from' ? t('console.table.from') : t('console.table.to')}</span>
          <input
            type="date"
            value={address.get(name)}
            onChange={({ currentTarget: { value } }) =>
              navigate(address.hrefOf({ [name]: value, page: undefined }))
            }
          />
        </label>
      ))}
    </span>
  );
}

const TYPING_MS = 300;

/** Searches while the person types. The steps between are no entries of the history. */
export function SearchField({ address, label }: { address: Address; label: string }) {
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<number | undefined>(undefined);
  const text = address.get('q');
  const latest = useRef(address);
  latest.current = address;
  useLayoutEffect(() => {
    // Going back shows the text of that address; what is being typed stays.
    const field = input.current!;
    if (field.value.trim() !== text) field.value = text;
  }, [text]);
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  const find = () => {
    clearTimeout(timer.current);
    const q = input.current!.value.trim();
    if (q === latest.current.get('q')) return;
    navigate(latest.current.hrefOf({ q, page: undefined }), { replace: true });
  };
  return (
    <form
      class="filter-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <SearchIcon aria-hidden />
      <input
        ref={input}
        type="search"
        name="q"
        defaultValue={text}
        maxLength={100}
        autocomplete="off"
        aria-label={label}
        placeholder={label}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(find, TYPING_MS);
        }}
      />
    </form>
  );
}
