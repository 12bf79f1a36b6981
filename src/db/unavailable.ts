/**
 * The database accepts no changes at the moment: another process holds the write lock for too long, the disk is
 * full, the file was replaced. The message is for the operator; API callers only get a 503 without the reason.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The connection was lost during the commit: the changes may be stored, or not. Only the caller can find out. */
export class UnknownOutcome extends Error {
  override name = 'UnknownOutcome';
}

/** The database cannot be opened. The message explains to the operator why, and what to do. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}

/** The log of the database. */
export interface DatabaseLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
