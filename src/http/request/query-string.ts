import type { FastifyRequest } from 'fastify';
import { parseFields, type Fields } from './fields.ts';

const FIELDS_MAX = 200;

/** An unparsed query string. It is parsed after the rate limit, and only if the operation declares a query. */
interface RawQuery {
  readonly text: string;
}

/** The query-string parser for Fastify's router. */
export function rawQuery(text: string): RawQuery & Fields {
  return { text };
}

export function queryText(request: FastifyRequest): string {
  // Fastify types the query as unknown; `rawQuery` has created it.
  return (request.query as RawQuery).text;
}

export function parseQuery(request: FastifyRequest): Fields {
  return parseFields(queryText(request), FIELDS_MAX, 'query');
}
