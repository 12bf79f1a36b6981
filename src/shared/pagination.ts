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

/** The same page as rows of a statement. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

export function sliceOf(page: Page): Slice {
  return { limit: page.per_page, offset: offsetOf(page) };
}

/** The same rows counted from the end of the collection, in reverse; undefined if they are nearer to the beginning. */
export function fromTheEnd({ limit, offset }: Slice, total: number): Slice | undefined {
  const behind = total - offset - limit;
  if (behind >= offset) return undefined;
  return { limit: Math.max(0, Math.min(limit, total - offset)), offset: Math.max(0, behind) };
}
