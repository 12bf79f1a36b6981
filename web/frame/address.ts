import { useSearch } from 'wouter-preact';
import { withQuery } from './navigation.ts';

/** The query of the current screen: search, filters, order, page, and what is open. */
export interface Address {
  readonly path: string;
  /** Empty if it is not in the address. */
  get(name: string): string;
  /** The value if it is one of these. */
  oneOf<T extends string>(name: string, known: readonly T[]): T | undefined;
  readonly page: number;
  readonly sort: string | undefined;
  /** The same address with other values; undefined and '' remove one. */
  hrefOf(changes: Record<string, string | undefined>): string;
}

export function useAddress(path: string): Address {
  const search = useSearch();
  const query = new URLSearchParams(search);
  const get = (name: string) => query.get(name) ?? '';
  return {
    path,
    get,
    oneOf: (name, known) => known.find((one) => one === get(name)),
    page: Math.max(1, Math.trunc(Number(get('page'))) || 1),
    sort: get('sort') || undefined,
    hrefOf: (changes) => withQuery(path, search, changes),
  };
}
