import { constants } from 'node:crypto';
import type { Server, ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { createServer as createHttpServer } from '../../shared/node-http.ts';
import type { OpenWork } from '../../shared/open-work.ts';
import type { ConnectionCeilings, ConnectionLimits } from './connection-limits.ts';
import { RequestQueue, type Handler } from './request-queue.ts';
import { StalledConnections } from './stalled-connections.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Applies to a connection that has not sent anything yet. */
const FIRST_REQUEST_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 72_000;
const TIMEOUT_CHECK_MS = 1_000;

/**
 * TLS 1.3, and the ciphers of TLS 1.2 with forward secrecy and authenticated encryption (no CBC). The first one that
 * a client offers is used, so the strongest come first.
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');

const HTTP_OPTIONS: ServerOptions = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEADERS_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  // Node would respond without a body, so `protocolError` refuses such requests in JSON instead.
  requireHostHeader: false,
};

export interface CertificatePair {
  readonly key: string;
  readonly cert: string;
}

/** The TLS options for a certificate. */
export function tlsOptions({ key, cert }: CertificatePair): SecureContextOptions {
  return {
    key,
    cert,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

export interface NodeServerOptions {
  readonly tls: CertificatePair | undefined;
  readonly connections: ConnectionCeilings;
  readonly connectionLimits: ConnectionLimits;
  readonly proxies: TrustedProxies;
  readonly openRequests: OpenWork;
}

/** The node:http server below the framework: timeouts, TLS, and how connections share it. */
export function createNodeServer(handle: Handler, options: NodeServerOptions): Server {
  const queue = new RequestQueue(handle, options.openRequests);
  const stalled = new StalledConnections();
  const server = options.tls
    ? createHttpsServer({
        ...HTTP_OPTIONS,
        ...tlsOptions(options.tls),
        handshakeTimeout: HEADERS_TIMEOUT_MS,
      })
    : createHttpServer(HTTP_OPTIONS);
  server.maxConnections = options.connections.all;
  server.on('request', queue.add);
  // Node does not know the value of the Expect header; `protocolError` refuses it in JSON.
  server.on('checkExpectation', queue.add);
  server.on('connection', (socket) => options.connectionLimits.admit(socket));
  server.once('close', () => stalled.stop());
  server.on(options.tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    stalled.watch(socket);
    if (options.tls) readByStream(socket);
    // A proxy may open connections before it needs them.
    if (!options.proxies.isProxy(socket)) closeWhenSilent(socket, queue);
  });
  return server;
}

/**
 * Lets the HTTP parser read through the stream of a TLS connection, as it does as soon as the stream has a listener.
 * Otherwise it reads from the decryption directly, which hands over all records that have arrived even when node:http
 * has paused reading. The paused parser fails on the second record (16 KB), and all pipelined requests with it.
 */
function readByStream(socket: Socket): void {
  socket.on('data', () => {});
}

/** Closes a connection that sends nothing. After its first byte, the timeout for headers applies. */
function closeWhenSilent(socket: Socket, queue: RequestQueue): void {
  const before = socket.bytesRead;
  const closeIfSilent = () => {
    if (socket.bytesRead === before && !queue.hasSeen(socket)) socket.destroy();
  };
  // A process that was busy has not read yet what arrived in time: it does so before the immediate runs.
  const timer = setTimeout(() => setImmediate(closeIfSilent), FIRST_REQUEST_TIMEOUT_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
