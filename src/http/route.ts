import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { requireCaller, requirePermission } from '../kernel/call/authorize.ts';
import { idempotencyKeyOf, takesIdempotencyKey } from '../kernel/call/idempotency-key.ts';
import { bodyOf, readInput } from '../kernel/call/input-readers.ts';
import { runOperation } from '../kernel/call/run-operation.ts';
import { anonymous, system, type Caller } from '../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../kernel/declare/errors.ts';
import { HttpResponse } from '../kernel/declare/http-response.ts';
import type { RunOnce } from '../kernel/declare/module.ts';
import { isLong, type Guard, type Operation } from '../kernel/declare/operation.ts';
import type { Site } from '../kernel/declare/site.ts';
import { networkOf } from '../shared/network.ts';
import type { Authenticator } from './authenticate.ts';
import { isLocal, type Origin } from './connections/trusted-proxies.ts';
import type { LongWork } from './long-work.ts';
import { rateLimited, type RequestLimits } from './request-limits.ts';
import { bodyIsText, isLarge } from './request/body.ts';
import { guardFactsOf, HttpFacts } from './request/http-facts.ts';
import { idNamesOf, isPathId } from './request/path-ids.ts';
import { parseQuery } from './request/query-string.ts';
import { acceptedEncoding } from './response/accepted-encoding.ts';
import type { ResponseHeaders } from './response/response-headers.ts';
import { isKnown, send, sendNotModified, type ServerState } from './response/send-response.ts';
import type { Unrouted } from './unrouted.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `admit`. */
    caller: Caller;
    origin: Origin;
    operation: Operation | null;
    startedMs: number;
    responseHeaders: ResponseHeaders;
    serverState: ServerState;
  }
}

export interface RouteParts {
  site: Site;
  authenticator: Authenticator;
  limits: RequestLimits;
  longWork: LongWork;
  unrouted: Unrouted;
}

/**
 * Serves one operation over HTTP. The order of checks is the same for all operations: whether it is
 * active, credentials, rate limit, parameters, permission, and then the operation's own checks.
 */
export class Route {
  readonly operation: Operation;
  readonly #parts: RouteParts;
  readonly #takesInput: boolean;
  /** Undefined if the operation does not accept an `Idempotency-Key`, or no module handles it. */
  readonly #runOnce: RunOnce | undefined;
  /** The names of the path parameters that are ids. */
  readonly #idNames: readonly string[];

  constructor(operation: Operation, parts: RouteParts) {
    this.operation = operation;
    this.#parts = parts;
    this.#takesInput = Boolean(
      operation.params ?? operation.query ?? bodyOf(operation, parts.site.registry),
    );
    this.#idNames = idNamesOf(operation);
    this.#runOnce = takesIdempotencyKey(operation)
      ? parts.site.registry.modules.find((module) => module.runOnce)?.runOnce
      : undefined;
  }

  /** Runs before the body is read. The body of a GET is ignored, so a GET is handled here already. */
  admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    readBody: HookHandlerDoneFunction,
  ): void => {
    const done: HookHandlerDoneFunction =
      this.operation.method !== 'GET'
        ? readBody
        : (error?: Error) => (error ? readBody(error) : this.handle(request, reply));
    try {
      if (this.#isAbsent(request)) return this.#parts.unrouted.answer(request, reply);
      request.operation = this.operation;
      if (this.operation.namespace === 'site') this.#admitToSite(request, reply, done);
      else this.#admitToApi(request, done);
    } catch (error) {
      // The code of the project throws nothing but errors.
      done(error as Error);
    }
  };

  /** Runs after the body was read. */
  handle = (request: FastifyRequest, reply: FastifyReply): void => {
    try {
      const result = this.#run(request, reply);
      if (result instanceof Promise) {
        result
          .then((value) => this.#respond(reply, value))
          .catch((error: unknown) => this.#fail(request, reply, error));
      } else {
        this.#respond(reply, result);
      }
    } catch (error) {
      this.#fail(request, reply, error);
    }
  };

  /** `/coupons/` and `/coupons/x` are unknown paths rather than invalid parameters. */
  #isItsPath(request: FastifyRequest): boolean {
    // Fastify's router sets the parameters of a path as text.
    const params = request.params as Record<string, string>;
    for (const name in params) if (params[name] === '') return false;
    return this.#idNames.every((name) => isPathId(params[name]!));
  }

  /** Under /svc/ every request counts; a request with an invalid credential counts as anonymous. */
  #admitToApi(request: FastifyRequest, done: HookHandlerDoneFunction): void {
    const { authenticator, limits, site } = this.#parts;
    const admit = (caller: Caller) => {
      request.caller = caller;
      proceed(limits.takeFor(caller, request), done, (isWithinLimit) => {
        if (!isWithinLimit) throw rateLimited();
        requireCaller(this.operation, caller, site, isLarge(request));
        done();
      });
    };
    const refuse = (error: Error) => {
      proceed(limits.takeFor(anonymous, request), done, () => done(error));
    };
    let caller: Caller | Promise<Caller>;
    try {
      caller = authenticator.callerOf(request, site.clock());
    } catch (error) {
      // `callerOf` throws nothing but errors.
      return refuse(error as Error);
    }
    if (caller instanceof Promise) caller.then(admit, refuse).catch(done);
    else admit(caller);
  }

  #admitToSite(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const { limits, site } = this.#parts;
    const isWithinLimit = this.operation.unlimited ? true : limits.takeForNetwork(request);
    proceed(isWithinLimit, done, (isAllowed) => {
      if (!isAllowed) throw rateLimited();
      proceed(this.#callerOnSite(request), done, (caller) => {
        request.caller = caller;
        requireCaller(this.operation, caller, site);
        this.#admitBody(request, reply);
        done();
      });
    });
  }

  #admitBody(request: FastifyRequest, reply: FastifyReply): void {
    const { rawBody } = this.operation;
    if (!rawBody?.admit) return;
    const length = request.raw.headers['content-length'];
    const release = rawBody.admit(this.#parts.site, {
      network: networkOf(request.origin.address),
      // Fastify's router sets the parameters of a path as text.
      params: request.params as Record<string, string>,
      bytes: length === undefined ? rawBody.bytesMax : Number(length),
    });
    if (!release) throw rateLimited();
    reply.raw.once('close', release);
  }

  #callerOnSite(request: FastifyRequest): Caller | Promise<Caller> {
    const { authenticator, site } = this.#parts;
    const { headers } = request.raw;
    const { operation } = this;
    if (operation.guard) return this.#guardedCaller(request, operation.guard);
    if (authenticator.carriesKey(headers)) throw new ApiError(generalErrors.wrongNamespace);
    if (operation.signsIn) this.#admitSignIn(request);
    // A public page ignores credentials, so that it works in a browser whose session has expired.
    if (operation.access === 'public' && !operation.publicUnless?.(site)) return anonymous;
    return authenticator.callerOf(request, site.clock());
  }

  /** A wrong token counts as a failed sign-in. */
  #guardedCaller(request: FastifyRequest, guard: Guard): Caller {
    const { authenticator, site } = this.#parts;
    authenticator.refuseLockedOut(request.origin);
    const facts = guardFactsOf(request);
    const verdict = guard(site, facts);
    if (verdict === 'allow') return system;
    if (verdict === 'hide') throw new ApiError(generalErrors.wrongNamespace);
    if (facts.token !== undefined) authenticator.countFailure(request, 'token');
    throw new ApiError(generalErrors.unauthorized);
  }

  #isAbsent(request: FastifyRequest): boolean {
    const { authenticator, site } = this.#parts;
    const { guard, params } = this.operation;
    if (!site.registry.isActive(this.operation)) return true;
    if (params && !this.#isItsPath(request)) return true;
    if (guard === undefined || guard(site, guardFactsOf(request)) !== 'hide') return false;
    // Outside /svc/, API keys are refused on every path, so a hidden operation must not differ.
    return !authenticator.carriesKey(request.raw.headers);
  }

  /** Passwords are accepted over HTTPS only, except from this machine. */
  #admitSignIn(request: FastifyRequest): void {
    if (!request.origin.secure && !isLocal(request.raw)) {
      throw new ApiError(generalErrors.httpsRequired);
    }
    this.#parts.authenticator.refuseLockedOut(request.origin);
  }

  #run(request: FastifyRequest, reply: FastifyReply): unknown {
    const { site, longWork } = this.#parts;
    const input = this.#takesInput ? this.#readInput(request) : {};
    const { operation } = this;
    const { caller } = request;
    const key = this.#runOnce && idempotencyKeyOf(request.raw.headers);
    const facts = new HttpFacts(request, this.#parts);
    requirePermission(operation, caller, site, input, facts);
    const run = () =>
      this.#runOnce && key !== undefined
        ? this.#runOnce({ key, operation, site, caller, facts, input })
        : runOperation(operation, site, caller, facts, input);
    if (!isLong(operation, input, site)) return run();
    return longWork.run({ caller, facts, response: reply.raw }, run);
  }

  #readInput(request: FastifyRequest): Record<string, unknown> {
    return readInput(this.operation, this.#parts.site, {
      // Fastify types the parameters as unknown; its router sets an object.
      params: request.params as Record<string, unknown>,
      query: this.operation.query ? parseQuery(request) : {},
      body: request.body,
      bodyIsText: bodyIsText(request),
    });
  }

  #respond(reply: FastifyReply, result: unknown): void {
    if (!(result instanceof HttpResponse)) return send(reply, this.operation.status ?? 200, result);
    const { responseHeaders } = reply.request;
    for (const name in result.headers) responseHeaders.set(name, result.headers[name]!);
    const status = result.status ?? this.operation.status ?? 200;
    // A form is sent back as a page, and a wrong password in it counts like any other.
    if (this.operation.signsIn && status === 401) {
      this.#parts.authenticator.countFailure(reply.request, 'password');
    }
    if (result.compressed) return this.#respondCompressed(reply, status, result);
    if (status === 200 && isKnown(reply.request)) return sendNotModified(reply);
    send(reply, status, result.body);
  }

  /** Sends an encoding that the client accepts. An ETag identifies bytes, so each encoding has its own. */
  #respondCompressed(
    reply: FastifyReply,
    status: number,
    { body, compressed }: HttpResponse,
  ): void {
    const { request } = reply;
    const { responseHeaders, raw } = request;
    const encoding = acceptedEncoding(raw.headers['accept-encoding']);
    responseHeaders.set('vary', 'Accept-Encoding');
    const tag = responseHeaders.get('etag');
    if (encoding && tag) responseHeaders.set('etag', `${tag.slice(0, -1)}-${encoding}"`);
    if (status === 200 && isKnown(request)) return sendNotModified(reply);
    if (encoding === undefined) return send(reply, status, body);
    const fail = (error: Error) => this.#fail(request, reply, error);
    proceed(compressed!.in(encoding), fail, (bytes) => {
      responseHeaders.set('content-encoding', encoding);
      send(reply, status, bytes);
    });
  }

  #fail(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    reply.send(this.operation.signsIn ? this.#signInFailure(request, error) : error);
  }

  /** A wrong password counts as a failed sign-in, unless the address was locked out in the meantime. */
  #signInFailure(request: FastifyRequest, error: unknown): unknown {
    if (!(error instanceof ApiError) || error.definition.status !== 401) return error;
    // The password was right.
    if (error.definition === generalErrors.secondFactorRequired) return error;
    const { authenticator } = this.#parts;
    try {
      authenticator.refuseLockedOut(request.origin);
    } catch (lockedOut) {
      return lockedOut;
    }
    authenticator.countFailure(request, 'password');
    return error;
  }
}

/** Calls `next` synchronously if the value is not a promise. */
function proceed<T>(
  value: T | Promise<T>,
  fail: (error: Error) => void,
  next: (value: T) => void,
): void {
  if (value instanceof Promise) value.then(next).catch(fail);
  else next(value);
}
