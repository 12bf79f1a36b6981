import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { LockOut } from '../kernel/call/lock-out.ts';
import type { Operation } from '../kernel/declare/operation.ts';
import type { Site } from '../kernel/declare/site.ts';
import { Authenticator } from './authenticate.ts';
import { answerBrokenRequest, answerConnect, protocolError } from './connections/broken-request.ts';
import { ConnectionLimits, type ConnectionCeilings } from './connections/connection-limits.ts';
import { createNodeServer, tlsOptions, type CertificatePair } from './connections/node-server.ts';
import type { TrustedProxies } from './connections/trusted-proxies.ts';
import { LongWork } from './long-work.ts';
import { RequestLimits } from './request-limits.ts';
import { RequestLog } from './request-log.ts';
import {
  acceptBodies,
  acceptBytes,
  acceptUploads,
  BODY_BYTES_MAX,
  bodyBytesMaxOf,
} from './request/body.ts';
import { rawQuery } from './request/query-string.ts';
import { sendError } from './response/error-response.ts';
import { ResponseHeaders } from './response/response-headers.ts';
import type { ServerState } from './response/send-response.ts';
import { Route, type RouteParts } from './route.ts';
import { Unrouted } from './unrouted.ts';

const PATH_PARAMETER_MAX = 500;
const STOP_LOOK_MS = 50;
const STOP_MAX_MS = 5_000;

export interface ServerOptions {
  tls: CertificatePair | undefined;
  proxies: TrustedProxies;
  lockOut: LockOut;
  connections: ConnectionCeilings;
}

export interface HttpServer {
  readonly fastify: FastifyInstance;
  /** Uses another certificate for new connections. */
  serveCertificate(pair: CertificatePair): void;
  /**
   * Shuts down gracefully: responses ask clients to reconnect, requests are served for `delayMs` while
   * clients are connected, then requests in flight are finished and the server closes.
   */
  stop(delayMs: number): Promise<void>;
}

export function createServer(site: Site, options: ServerOptions): HttpServer {
  const state: ServerState = { log: new RequestLog(site), stopping: false };

  const nextRequestId = requestIds();
  const { tls, proxies, connections } = options;
  const connectionLimits = new ConnectionLimits(connections, proxies, site.log);

  const nodeServers: Server[] = [];
  const fastify = Fastify({
    // Fastify creates one server per address that it listens on.
    serverFactory: (handle) => {
      const server = createNodeServer(handle, {
        tls,
        proxies,
        connections,
        connectionLimits,
        openRequests: site.database.requests,
      });
      nodeServers.push(server);
      // Node types the socket as a stream, but passes a net.Socket to a server.
      server.on('connect', (_request, socket) => answerConnect(socket as Socket, nextRequestId()));
      return server;
    },
    logger: false,
    // Otherwise Fastify loads its own at the start, more modules than all other libraries together.
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    bodyLimit: BODY_BYTES_MAX,
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: nextRequestId,
    routerOptions: { querystringParser: rawQuery, maxParamLength: PATH_PARAMETER_MAX },
    exposeHeadRoutes: false,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, nextRequestId()),
    // Fastify calls this for a URL that it cannot decode.
    frameworkErrors: (_error, request, reply) => {
      begin(request);
      unrouted.answer(request, reply);
    },
    // Fastify's type depends on the server factory; all other code uses the general one.
  }) as FastifyInstance;

  function begin(request: FastifyRequest): void {
    request.startedMs = performance.now();
    request.operation = null;
    request.serverState = state;
    request.origin = proxies.originOf(request.raw);
    request.responseHeaders = new ResponseHeaders(request.id, request.origin.secure);
  }

  for (const name of ['caller', 'origin', 'operation', 'responseHeaders', 'serverState'] as const) {
    fastify.decorateRequest(name);
  }
  fastify.decorateRequest('startedMs', 0);
  acceptBodies(fastify);

  const authenticator = new Authenticator(site, options.lockOut);
  const limits = new RequestLimits(site);
  const unrouted = new Unrouted({ site, authenticator, limits });

  fastify.addHook('onRequest', (request, reply, done) => {
    begin(request);
    const error = protocolError(request.raw);
    if (error || request.is404) unrouted.answer(request, reply, error);
    else done();
  });
  fastify.setErrorHandler((error, _request, reply) => sendError(error, reply, site));

  const longWork = new LongWork(site);
  const parts: RouteParts = { site, authenticator, limits, longWork, unrouted };
  const operations = [...site.registry.allOperations()];
  const {
    bytes = [],
    upload = [],
    body = [],
  } = Object.groupBy(operations, (one) => (one.rawBody ? 'bytes' : one.upload ? 'upload' : 'body'));
  const addRoutes = (scope: FastifyInstance, added: readonly Operation[]) => {
    for (const operation of added) addRoute(scope, new Route(operation, parts));
  };
  addRoutes(fastify, body);
  // Fastify has parsers per scope, so routes that read bytes or files have a scope of their own.
  for (const [accept, added] of [
    [acceptBytes, bytes],
    [acceptUploads, upload],
  ] as const) {
    void fastify.register((scope, _options, done) => {
      accept(scope);
      addRoutes(scope, added);
      done();
    });
  }

  return {
    fastify,
    serveCertificate(pair) {
      for (const server of nodeServers) {
        if (server instanceof HttpsServer) server.setSecureContext(tlsOptions(pair));
      }
    },
    async stop(delayMs) {
      state.stopping = true;
      await drained(fastify, delayMs);
      const force = setTimeout(() => fastify.server.closeAllConnections(), STOP_MAX_MS);
      await fastify.close();
      clearTimeout(force);
    },
  };
}

function addRoute(fastify: FastifyInstance, route: Route): void {
  const { operation } = route;
  fastify.route({
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    url: operation.url.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyBytesMaxOf(operation),
    onRequest: route.admit,
    handler: route.handle,
  });
}

/** Operations check and write their own input and output. */
function noSchemas(): never {
  throw new Error('No route of Fastify has a schema');
}

/** Ids are short, rise in order, and have a random prefix per process: `8f3a09c1d2-1f`. */
function requestIds(): () => string {
  const prefix = randomBytes(5).toString('hex');
  let last = 0;
  return () => `${prefix}-${(++last).toString(36)}`;
}

/**
 * Waits until clients have disconnected: responses now have `Connection: close`. Idle connections are
 * closed only afterwards, because closing them first would cut requests that are already on their way.
 */
async function drained(fastify: FastifyInstance, delayMs: number): Promise<void> {
  const untilMs = performance.now() + delayMs;
  while (performance.now() < untilMs && (await connectionsTo(fastify)) > 0) {
    await pause(STOP_LOOK_MS);
  }
}

function connectionsTo(fastify: FastifyInstance): Promise<number> {
  return new Promise((resolve) => fastify.server.getConnections((_, count) => resolve(count ?? 0)));
}
