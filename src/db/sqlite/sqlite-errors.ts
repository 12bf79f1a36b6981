import { DatabaseUnavailable } from '../unavailable.ts';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html). */
const resultCodes = {
  busy: 5,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  lockingProtocol: 15,
  notDatabase: 26,
} as const;

interface SqliteError {
  readonly message: string;
  /** The extended result code, whose low byte is the primary one. */
  readonly errcode: number;
}

/** Whether an error of SQLite is of one of these kinds, whatever its extended code. */
export function isSqliteError(
  error: unknown,
  ...kinds: readonly (keyof typeof resultCodes)[]
): error is SqliteError {
  // Any value can be thrown.
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return (
    typeof errcode === 'number' && kinds.some((kind) => resultCodes[kind] === (errcode & 0xff))
  );
}

/** Another connection holds the lock that the statement needs: it can succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return isSqliteError(error, 'busy', 'lockingProtocol');
}

/** Explains an error that the operator can fix. Returns any other error unchanged. */
export function explained(error: unknown): unknown {
  if (isSqliteError(error, 'full')) {
    return new DatabaseUnavailable('There is no space left on the disk of the database.', {
      cause: error,
    });
  }
  if (isSqliteError(error, 'readOnly')) {
    return new DatabaseUnavailable('The database file can only be read.', { cause: error });
  }
  if (isSqliteError(error, 'cannotOpen')) {
    return new DatabaseUnavailable(
      `The database file cannot be opened again (${error.message}): it was moved, or the process may open no more ` +
        'files (ulimit -n).',
      { cause: error },
    );
  }
  if (isSqliteError(error, 'inputOutput')) {
    return new DatabaseUnavailable(`The disk of the database cannot be used (${error.message}).`, {
      cause: error,
    });
  }
  return error;
}
