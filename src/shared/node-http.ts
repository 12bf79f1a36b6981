/**
 * What the service needs of `node:http`. An import of it reads all that it exports, and a part of that loads the `fetch` of
 * Node: 16 MB and 50 ms of processor time (measured).
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
