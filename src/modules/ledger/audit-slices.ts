/**
 * What one statement of a verification reads. A statement on SQLite blocks the event loop, so each reads only as much as
 * takes a few milliseconds; one that reads whatever its coupons have is declared long, and runs in a thread where the
 * database is large.
 */
export const ROWS_AT_ONCE = 500;
export const COUPONS_AT_ONCE = 25;
