import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import type { Context } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';

export const unavailable = defineError(
  'svc_api_unavailable',
  501,
  'Payouts are unavailable on this install: their tables are missing.',
);

/** What payouts add elsewhere: nothing, where their tables are missing. */
export async function ifStored<T>(site: Site, read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (site.database.dialect.isMissingTable(error)) return otherwise;
    throw error;
  }
}

/** An operation's steps, answering 501 where the tables of payouts are missing. */
export function withStorage<D, I, T, R>(
  handle: (context: Context<D, T>, input: I) => R | Promise<R>,
): (context: Context<D, T>, input: I) => Promise<R> {
  return async (context, input) => {
    try {
      return await handle(context, input);
    } catch (error) {
      if (!context.site.database.dialect.isMissingTable(error)) throw error;
      context.site.log.error({ err: error }, 'a table of the payouts is missing');
      throw new ApiError(unavailable);
    }
  };
}
