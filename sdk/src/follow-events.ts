import { ConnectionError, TimeoutError, TributaryError } from './errors.ts';
import type { EventsListInput } from './generated/resources.ts';
import type { FeedEvent } from './generated/schemas.ts';
import type { List, Page } from './pages.ts';
import { sleep, type CallOptions } from './transport.ts';

export interface FollowOptions {
  /** The position to begin after: 0 for all events, absent for those from now on. */
  after?: number;
  /** A kind (`referral`) or a whole name (`referral.created`). */
  event?: string;
  /** Only changes by this user. */
  user_id?: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /**
   * Called with the position to store, after the event has been processed: when the loop asks for the
   * next one. After a crash the loop begins with the first event that was not processed to its end.
   */
  onCursor?: (cursor: number) => void | Promise<void>;
  /** How long to wait in milliseconds when there is nothing new; 2,000 by default. */
  every?: number;
}

type ListEvents = (input: EventsListInput, options: CallOptions) => List<FeedEvent>;

const PER_PAGE = 100;
const WAIT_MS_MAX = 30_000;

/** Yields the events of the feed, without end, in their order. Waits while the service is away. */
export async function* followEvents(
  listEvents: ListEvents,
  { after, event, user_id, signal, onCursor, every = 2000 }: FollowOptions = {},
): AsyncGenerator<FeedEvent, void, undefined> {
  const filter = { event, user_id };
  const isOver = () => signal?.aborted ?? false;
  let cursor = after;
  let failures = 0;
  while (!isOver()) {
    let page: Page<FeedEvent>;
    try {
      const input = cursor === undefined ? { per_page: 1 } : { after: cursor, per_page: PER_PAGE };
      page = await listEvents({ ...filter, ...input }, { signal });
      failures = 0;
    } catch (error) {
      if (isOver()) return;
      if (!isPassing(error)) throw error;
      failures += 1;
      await pause(Math.min(WAIT_MS_MAX, every * 2 ** failures) * (0.5 + Math.random() / 2), signal);
      continue;
    }
    if (cursor !== undefined) {
      for (const one of page.items) {
        yield one;
        cursor = one.id;
        await onCursor?.(cursor);
        if (isOver()) return;
      }
    }
    // The end of the feed, which events that do not match the filter have moved on.
    const end = page.cursor ?? cursor ?? 0;
    if (end !== cursor) await onCursor?.(end);
    cursor = end;
    if (page.items.length < PER_PAGE) await pause(every, signal);
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof TributaryError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch {
    // The loop ends at the signal instead of throwing its reason.
  }
}
