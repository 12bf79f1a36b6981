import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Site } from '../kernel/site.ts';
import { Authenticator } from './authenticate.ts';
import { acceptBodies, BODY_BYTES_MAX, parseQuery } from './body.ts';
import { sendError, sendNoRoute } from './error-response.ts';
import type { LockOut } from './lock-out.ts';
import { RequestLog } from './request-log.ts';
import { AnswerHeaders, type ServerState } from './send.ts';
import { Route, type RouteParts } from './route.ts';
import type { TrustedProxies } from './trusted-proxies.ts';
import { Turn } from './turn.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 72_000;
const CONNECTIONS_MAX = 10_000;
const PATH_PARAMETER_MAX = 500;
const STOP_LOOK_MS = 50;
const STOP_MAX_MS = 5_000;

export interface ServerOptions {
  tls: { key: string; cert: string } | undefined;
  proxies: TrustedProxies;
  lockOut: LockOut;
}

export interface HttpServer {
  readonly fastify: FastifyInstance;
  /**
   * Tells everyone to come back on a new connection, goes on answering for that long where somebody
   * is connected, then answers what has arrived and closes.
   */
  stop(delayMs: number): Promise<void>;
}

export function createServer(site: Site, options: ServerOptions): HttpServer {
  const state: ServerState = { log: new RequestLog(site.log, site.metrics), stopping: false };

  const fastify = Fastify({
    ...(options.tls && { https: { ...options.tls, minVersion: 'TLSv1.2' as const } }),
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: requestIds(),
    routerOptions: { querystringParser: parseQuery, maxParamLength: PATH_PARAMETER_MAX },
    exposeHeadRoutes: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      begin(request as FastifyRequest);
      sendError(error, reply as FastifyReply, site.log);
    },
  }) as unknown as FastifyInstance;
  fastify.server.headersTimeout = HEADERS_TIMEOUT_MS;
  fastify.server.maxConnections = CONNECTIONS_MAX;

  function begin(request: FastifyRequest): void {
    request.startedMs = performance.now();
    request.operation = null;
    request.serverState = state;
    request.answerHeaders = new AnswerHeaders(request.id);
  }

  for (const name of ['caller', 'origin', 'operation', 'answerHeaders', 'serverState'] as const) {
    fastify.decorateRequest(name, null as never);
  }
  fastify.decorateRequest('startedMs', 0);
  acceptBodies(fastify);

  fastify.addHook('onRequest', (request, reply, done) => {
    begin(request);
    if (request.is404) sendNoRoute(reply);
    else done();
  });
  fastify.setErrorHandler((error, _request, reply) => sendError(error, reply, site.log));

  const parts: RouteParts = {
    site,
    proxies: options.proxies,
    authenticator: new Authenticator(site, options.lockOut),
  };
  const turn = new Turn();
  for (const operation of site.registry.allOperations()) {
    addRoute(fastify, new Route(operation, parts), turn);
  }

  return {
    fastify,
    async stop(delayMs) {
      state.stopping = true;
      await drained(fastify, delayMs);
      const force = setTimeout(() => fastify.server.closeAllConnections(), STOP_MAX_MS);
      await fastify.close();
      clearTimeout(force);
    },
  };
}

function addRoute(fastify: FastifyInstance, route: Route, turn: Turn): void {
  const { operation } = route;
  fastify.route({
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    url: operation.url.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: (request, reply, done) => turn.add(() => route.admit(request, reply, done)),
    handler: route.handle,
  });
}

/** Short, different in every process, and in order: `k3x9q2a-1f`. */
function requestIds(): () => string {
  const prefix = randomBytes(5).toString('hex');
  let last = 0;
  return () => `${prefix}-${(++last).toString(36)}`;
}

/**
 * Connections in use get their next answer with `Connection: close` and end by themselves; only
 * then are idle ones closed. Closing first would cut requests that are already on their way.
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

/** Bytes that are not HTTP never reach a route; they get an answer of the same shape. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const [status, reason] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout']
        : [400, 'Bad Request'];
  const body = JSON.stringify({ code: 'rest_bad_request', message: reason, data: { status } });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
