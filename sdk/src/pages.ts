import type { Call, Transport } from './transport.ts';

/** One page of a list. `for await` goes through its items and those of the pages after it. */
export interface Page<T> extends AsyncIterable<T> {
  readonly items: readonly T[];
  /** How many items the whole list has. */
  readonly total: number;
  /** How many pages the whole list has. */
  readonly pages: number;
  /** The position up to which the change feed was read; only of `events.list`. */
  readonly cursor: number | undefined;
  /** The page after this one, or undefined after the last. */
  next(): Promise<Page<T> | undefined>;
}

/** What a list answers: the first page with `await`, the items of all pages with `for await`. */
export type List<T> = Promise<Page<T>> & AsyncIterable<T>;

interface ListInput {
  page?: number;
  after?: number;
}

export function listOf<T>(transport: Transport, call: Call): List<T> {
  const first = loadPage<T>(transport, call);
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      yield* await first;
    },
  });
}

async function loadPage<T>(transport: Transport, call: Call): Promise<Page<T>> {
  const { body: items, headers } = await transport.json<T[]>(call);
  const input: ListInput = call.input ?? {};
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const cursor = number('x-svc-last-event');
  const pages = number('x-svc-totalpages') || 1;
  const nextInput = (): ListInput | undefined => {
    if (items.length === 0) return undefined;
    // The feed is read on from its cursor, so no event is missed or repeated.
    if (input.after !== undefined) return pages > 1 ? { ...input, after: cursor } : undefined;
    const page = (input.page ?? 1) + 1;
    return page <= pages ? { ...input, page } : undefined;
  };
  const next = async () => {
    const following = nextInput();
    return following && loadPage<T>(transport, { ...call, input: following });
  };
  return {
    items,
    total: number('x-svc-total') || items.length,
    pages,
    cursor: Number.isNaN(cursor) ? undefined : cursor,
    next,
    async *[Symbol.asyncIterator]() {
      yield* items;
      for (let page = await next(); page; page = await page.next()) yield* page.items;
    },
  };
}
