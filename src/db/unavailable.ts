/**
 * The database takes no changes at the moment: another process writes to it for too long, the disk is full,
 * the file was replaced. The message tells the operator why; callers only learn that they may try again.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The database cannot be opened. The message says why and what to do, for the person who starts the service. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}

/** Where the database reports what the operator has to know. */
export interface DatabaseLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
