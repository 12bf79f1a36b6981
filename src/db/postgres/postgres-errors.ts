import { DatabaseUnavailable } from '../unavailable.ts';
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
 * Explains the error of a read, or of a transaction that has changed nothing, if the operator can fix the cause.
 * Returns any other error unchanged.
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

/** The statement was prepared before another process migrated, and its columns differ now. */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, message } = detailsOf(error);
  return code === '0A000' && message?.includes('cached plan') === true;
}

const ENDED_WHILE_IDLE = '25P03'; // idle_in_transaction_session_timeout

const LOST = new Set<unknown>([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ERR_STREAM_DESTROYED', // of Node: the socket was closed before the statement was written
  'ERR_STREAM_WRITE_AFTER_END',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '08003', // connection_does_not_exist
  '08006', // connection_failure
  ENDED_WHILE_IDLE,
]);

/** The connection ended before the result arrived: by PostgreSQL, a proxy or the network. */
export function isLostConnection(error: unknown): boolean {
  const { code, message } = detailsOf(error);
  if (code !== undefined) return LOST.has(code);
  return /^Connection terminated|not queryable$/.test(message ?? '');
}

/** The connection was lost before the statement ran: the driver did not send it, or the session had ended. */
export function isLostBefore(error: unknown): boolean {
  const { code, message } = detailsOf(error);
  return (
    code === ENDED_WHILE_IDLE || (code === undefined && message?.endsWith('not queryable') === true)
  );
}

/**
 * Errors after which another attempt can succeed. A violated unique index or foreign key is one of them:
 * another transaction was faster, and in the next attempt the check before the statement finds its row and
 * refuses with a proper error.
 */
const transientCodes = new Set<unknown>([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23505', // unique_violation
  '23503', // foreign_key_violation
]);

/** The error of a statement that was sent after one that failed; it may arrive first. */
export function isConsequence(error: unknown): boolean {
  return detailsOf(error).code === '25P02'; // in_failed_sql_transaction
}

export function isTransient(error: unknown): boolean {
  return (
    transientCodes.has(detailsOf(error).code) || isOutdatedPlan(error) || isLostConnection(error)
  );
}
