/**
 * How long opening a file may wait for another process that creates it, recovers its log or closes it. No request
 * waits yet, and on an overloaded machine such a process may pause for seconds while it holds the lock.
 */
export const OPEN_WAIT_MS = 30_000;
