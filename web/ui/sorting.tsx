import { Link } from 'wouter-preact';
import { AscendingIcon, DescendingIcon, SortableIcon } from './icons.tsx';
import './sorting.css';

/** The order of a list: `sales` or `-sales`, which is part of the address. */
export interface Sorting {
  readonly current: string | undefined;
  stateOf(name: string): 'ascending' | 'descending' | 'none';
  hrefOf(sort: string): string;
}

export function sortingOf(current: string | undefined, hrefOf: (sort: string) => string): Sorting {
  return {
    current,
    hrefOf,
    stateOf: (name) =>
      current === name ? 'ascending' : current === `-${name}` ? 'descending' : 'none',
  };
}

interface SortLinkProps {
  sorting: Sorting;
  name: string;
  label: string;
  /** Numbers begin with the largest. */
  isNumber: boolean | undefined;
}

/** On a phone there are no headings; the filter bar offers the orders there. */
export function SortLink({ sorting, name, label, isNumber = false }: SortLinkProps) {
  const state = sorting.stateOf(name);
  const isDescendingNext = state === 'none' ? isNumber : state === 'ascending';
  const Icon =
    state === 'none' ? SortableIcon : state === 'ascending' ? AscendingIcon : DescendingIcon;
  return (
    <>
      <span class="phone-only">{label}</span>
      <Link
        class="sort-link desktop-only"
        data-state={state}
        href={sorting.hrefOf(isDescendingNext ? `-${name}` : name)}
      >
        {label}
        <Icon aria-hidden />
      </Link>
    </>
  );
}
