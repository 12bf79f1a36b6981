import { isPastTheEnd, totalPages, type Page } from '../shared/page.ts';
import { Answer } from './operation.ts';

/** The headers of every collection, for the contract. */
export const pageHeaders = {
  'X-Svc-Total': 'Total matching items.',
  'X-Svc-TotalPages': 'Total pages at the current per_page.',
};

/**
 * One page of a collection. The rows are asked for only when the page can hold any: a page past
 * the end runs no page query.
 */
export async function collection<T>(
  page: Page,
  total: number,
  rows: () => Promise<T[]>,
): Promise<Answer> {
  return new Answer(isPastTheEnd(page, total) ? [] : await rows(), {
    headers: pageHeaderValues(total, page.per_page),
  });
}

export function pageHeaderValues(total: number, perPage: number): Record<string, string> {
  return {
    'X-Svc-Total': String(total),
    'X-Svc-TotalPages': String(totalPages(total, perPage)),
  };
}
