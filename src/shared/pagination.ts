/** The requested page of a collection. */
export interface Page {
  page: number;
  per_page: number;
}

export function totalPages(total: number, perPage: number): number {
  return Math.ceil(total / perPage);
}

/** A page past the end is empty, so its query need not run. */
export function isPastTheEnd(page: Page, total: number): boolean {
  return offsetOf(page) >= total;
}

export function offsetOf(page: Page): number {
  return (page.page - 1) * page.per_page;
}
