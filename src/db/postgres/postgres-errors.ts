import { DatabaseUnavailable } from '../unavailable.ts';
import { isLostConnection } from './connection.ts';
import { detailsOf } from './error-details.ts';

/** Why PostgreSQL accepts no changes, by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const refusals: Record<string, string> = {
  '25006': 'The database can only be read: it is a standby, or is set to read-only.',
  '53100': 'There is no space left on the disk of the database server.',
  '53200': 'The database server has no memory left.',
  '53300': 'The database server has no connection left (max_connections).',
  '57P03': 'The database server is starting or stopping.',
};

const UNREACHABLE = new Set<unknown>([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

/**
 * Explains the error of a transaction that has changed nothing, if the operator can fix the cause. Returns
 * any other error unchanged.
 */
export function explainRefusal(error: unknown): unknown {
  const { code, message = '' } = detailsOf(error);
  const words = code === undefined ? undefined : refusals[code];
  if (words !== undefined) return new DatabaseUnavailable(words, { cause: error });
  const isGone =
    UNREACHABLE.has(code) ||
    isLostConnection(error) ||
    message === 'timeout exceeded when trying to connect';
  if (!isGone) return error;
  return new DatabaseUnavailable(`The database server does not answer (${message || code}).`, {
    cause: error,
  });
}
