import { GraphQLError } from 'graphql';

const FIRST_MAX = 250;

interface Page {
  readonly first?: number;
  readonly after?: string | null;
}

/** A list as GraphQL pages it. A cursor is the number of an entry, encoded. */
export function connection(entries: readonly object[]) {
  return ({ first, after }: Page) => {
    const begin = after ? Number(Buffer.from(after, 'base64url').toString()) : 0;
    if (!Number.isInteger(begin)) throw new GraphQLError('Invalid cursor for current pagination.');
    const nodes = entries.slice(begin, begin + sizeOf(first));
    const end = begin + nodes.length;
    return {
      nodes,
      pageInfo: {
        hasNextPage: end < entries.length,
        endCursor: nodes.length === 0 ? null : Buffer.from(String(end)).toString('base64url'),
      },
    };
  };
}

export function sizeOf(first: number | undefined): number {
  if (first === undefined) {
    throw new GraphQLError('you must provide one of first or last');
  }
  if (first < 1 || first > FIRST_MAX) throw new GraphQLError('first must be between 1 and 250');
  return first;
}
