import { isPastTheEnd, offsetOf, totalPages, type Page } from '../../shared/pagination.ts';
import { HttpResponse } from '../declare/http-response.ts';
import type { Site } from '../declare/site.ts';
import { totalsOf } from './total-cache.ts';

/** The headers of every collection, for the contract. */
export const pageHeaders = {
  'X-Svc-Total': 'Total matching items.',
  'X-Svc-TotalPages': 'Total pages at the current per_page.',
};

/**
 * One page of a collection. Rows are only queried if the page can contain any: a page past
 * the end runs no page query.
 */
export async function collection<T>(
  page: Page,
  total: number,
  rows: () => Promise<T[]>,
): Promise<HttpResponse<T[]>> {
  return new HttpResponse(isPastTheEnd(page, total) ? [] : await rows(), {
    headers: pageHeaderValues(total, page.per_page),
  });
}

/** A collection whose total is cached. */
export interface CountedCollection {
  /** Under which name its totals are cached, and for how long where other instances are not notified. */
  readonly name: string;
  readonly maxAgeMs?: number;
  readonly filter: object;
  count(): Promise<number>;
}

/**
 * One page of a collection whose total is cached. An outdated total suppresses no page: before a page
 * counts as past the end, and where the rows contradict the total, it is counted again.
 */
export async function cachedCollection<T>(
  site: Site,
  { name, filter, count, maxAgeMs }: CountedCollection,
  page: Page,
  rows: () => Promise<T[]>,
): Promise<HttpResponse<T[]>> {
  const totals = totalsOf(site);
  const options = maxAgeMs === undefined ? {} : { maxAgeMs };
  const recount = () => totals.current(name, filter, count, options);
  let total = await totals.find(name, filter, count, options);
  if (isPastTheEnd(page, total)) return collection(page, await recount(), rows);
  const found = await rows();
  if (!agrees(page, total, found.length)) total = await recount();
  return new HttpResponse(found, { headers: pageHeaderValues(total, page.per_page) });
}

/** Whether a page can have so many rows by the total: all pages but the last are full. */
function agrees(page: Page, total: number, rows: number): boolean {
  return rows === Math.min(page.per_page, total - offsetOf(page));
}

export function pageHeaderValues(total: number, perPage: number): Record<string, string> {
  return {
    'X-Svc-Total': String(total),
    'X-Svc-TotalPages': String(totalPages(total, perPage)),
  };
}
