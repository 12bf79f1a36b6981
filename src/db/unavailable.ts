/**
 * The database takes no changes at the moment: another process writes to it for too long, the disk is full,
 * the file was replaced. The message tells the operator why; callers only learn that they may try again.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** Where the database reports what the operator has to know. */
export interface DatabaseLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
