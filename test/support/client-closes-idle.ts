/**
 * Options of an HTTP server in a test: only its client closes idle connections. On a busy machine a server would
 * close one on which a request is under way, and the client could not tell whether it was received.
 */
export const clientClosesIdle = { keepAliveTimeout: 0 };
