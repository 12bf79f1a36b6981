import type { FastifyRequest } from 'fastify';
import { parseFields, type Fields } from './fields.ts';

const FIELDS_MAX = 200;

/** A query string as it came. It is read late, after the limits, and only where a query is declared. */
interface KeptQuery {
  readonly text: string;
}

/** What the router keeps of a query string. */
export function keepQuery(text: string): KeptQuery & Fields {
  return { text };
}

export function queryText(request: FastifyRequest): string {
  return (request.query as KeptQuery).text;
}

export function parseQuery(request: FastifyRequest): Fields {
  return parseFields(queryText(request), FIELDS_MAX, 'query');
}
