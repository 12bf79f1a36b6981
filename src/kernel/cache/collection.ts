import type { Reader } from '../../db/database.ts';
import {
  isPastTheEnd,
  sliceOf,
  totalPages,
  type Page,
  type Slice,
} from '../../shared/pagination.ts';
import { HttpResponse } from '../declare/http-response.ts';
import type { Site } from '../declare/site.ts';
import { totalsOf } from './total-cache.ts';

/** The response headers that every collection declares. */
export const pageHeaders = {
  'X-Svc-Total': 'Total matching items.',
  'X-Svc-TotalPages': 'Total pages at the current per_page.',
};

/**
 * One page of a collection. A page past the end runs no query for rows.
 */
export async function collection<T>(
  page: Page,
  total: number,
  rows: (slice: Slice) => Promise<T[]>,
): Promise<HttpResponse<T[]>> {
  return new HttpResponse(isPastTheEnd(page, total) ? [] : await rows(sliceOf(page)), {
    headers: pageHeaderValues(total, page.per_page),
  });
}

/** The statements of a list: `pagedList` makes both. */
interface PagedList<F, R> {
  count(db: Reader, filter: F): Promise<number>;
  page(db: Reader, filter: F, slice: Slice): Promise<R[]>;
}

/** One page of a list by its filter, with each row as the response has it. */
export async function listed<F, R, T>(
  db: Reader,
  list: PagedList<F, R>,
  filter: F,
  page: Page,
  toItem: (row: R) => T,
): Promise<HttpResponse<T[]>> {
  return collection(page, await list.count(db, filter), async (slice) =>
    (await list.page(db, filter, slice)).map(toItem),
  );
}

/** A collection whose total is cached. */
export interface CountedCollection {
  /** The name under which its totals are cached. */
  readonly name: string;
  /** How long they are cached, for a collection that does not notify other instances of changes. */
  readonly maxAgeMs?: number;
  readonly filter: object;
  count(): Promise<number>;
}

/**
 * One page of a collection whose total is cached. An outdated total must not hide a page, so the total is
 * counted again before a page is treated as past the end, and when the rows contradict the total. `rows` gets the
 * total, because the fastest way to a page depends on it.
 */
export async function cachedCollection<T>(
  site: Site,
  { name, filter, count, maxAgeMs }: CountedCollection,
  page: Page,
  rows: (slice: Slice, total: number) => Promise<T[]>,
): Promise<HttpResponse<T[]>> {
  const totals = totalsOf(site);
  const options = maxAgeMs === undefined ? {} : { maxAgeMs };
  const recount = () => totals.current(name, filter, count, options);
  let total = await totals.find(name, filter, count, options);
  if (isPastTheEnd(page, total)) {
    total = await recount();
    return collection(page, total, (slice) => rows(slice, total));
  }
  const found = await rows(sliceOf(page), total);
  if (!agrees(page, total, found.length)) total = await recount();
  return new HttpResponse(found, { headers: pageHeaderValues(total, page.per_page) });
}

/** Whether the number of rows is consistent with the total: all pages but the last are full. */
function agrees(page: Page, total: number, rows: number): boolean {
  return rows === Math.min(page.per_page, total - sliceOf(page).offset);
}

export function pageHeaderValues(total: number, perPage: number): Record<string, string> {
  return {
    'X-Svc-Total': String(total),
    'X-Svc-TotalPages': String(totalPages(total, perPage)),
  };
}
