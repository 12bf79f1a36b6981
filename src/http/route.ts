import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { requireCaller, requirePermission } from '../kernel/authorize.ts';
import { anonymous, system, type Caller } from '../kernel/caller.ts';
import { ApiError, generalErrors } from '../kernel/errors.ts';
import { runOnce, takesIdempotencyKey } from '../kernel/idempotency.ts';
import { readInput } from '../kernel/input-readers.ts';
import { anonymousRatePerMinute, ratePerMinute } from '../kernel/limits.ts';
import { Answer, type Operation } from '../kernel/operation.ts';
import { WINDOW_MS, type Allowance } from '../kernel/rate-limit.ts';
import { runOperation } from '../kernel/run-operation.ts';
import type { Site } from '../kernel/site.ts';
import type { Authenticator } from './authenticate.ts';
import { bodyIsText } from './body.ts';
import { sendNoRoute } from './error-response.ts';
import { HttpFacts } from './http-facts.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import { send, type AnswerHeaders, type ServerState } from './send.ts';
import { isLocal, type Origin, type TrustedProxies } from './trusted-proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Known once `admit` has run. */
    caller: Caller;
    origin: Origin;
    operation: Operation | null;
    startedMs: number;
    answerHeaders: AnswerHeaders;
    serverState: ServerState;
  }
}

export interface RouteParts {
  site: Site;
  proxies: TrustedProxies;
  authenticator: Authenticator;
}

/**
 * One operation over HTTP. The order of checks is the same for all of them:
 * is it switched on, credentials, rate limit, parameters, permission, and then the operation's own.
 */
export class Route {
  readonly operation: Operation;
  readonly #parts: RouteParts;
  readonly #takesInput: boolean;
  readonly #takesKey: boolean;

  constructor(operation: Operation, parts: RouteParts) {
    this.operation = operation;
    this.#parts = parts;
    this.#takesInput = Boolean(operation.params ?? operation.query ?? operation.body);
    this.#takesKey = takesIdempotencyKey(operation);
  }

  /** Before the body is read. A GET has none that matters: it is answered right here. */
  admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    readBody: HookHandlerDoneFunction,
  ): void => {
    const done: HookHandlerDoneFunction =
      this.operation.method !== 'GET'
        ? readBody
        : (error?: Error) => (error ? readBody(error) : this.handle(request, reply));
    const { site, proxies } = this.#parts;
    try {
      if (!site.registry.isActive(this.operation)) return sendNoRoute(reply);
      if (this.operation.params && namesNothing(request)) return sendNoRoute(reply);
      request.operation = this.operation;
      request.origin = proxies.originOf(request.raw);
      const caller = this.#callerOf(request, site.clock());
      if (caller instanceof Promise) {
        caller.then((known) => this.#admitCaller(request, known, done)).catch(done);
      } else {
        this.#admitCaller(request, caller, done);
      }
    } catch (error) {
      done(error as Error);
    }
  };

  /** With the body at hand. */
  handle = (request: FastifyRequest, reply: FastifyReply): void => {
    try {
      const result = this.#run(request);
      if (result instanceof Promise) {
        result
          .then((answer) => this.#answer(reply, answer))
          .catch((e) => this.#fail(request, reply, e));
      } else {
        this.#answer(reply, result);
      }
    } catch (error) {
      this.#fail(request, reply, error);
    }
  };

  #callerOf(request: FastifyRequest, nowMs: number): Caller | Promise<Caller> {
    const { authenticator } = this.#parts;
    const { headers } = request.raw;
    const { operation } = this;
    if (operation.namespace !== 'site')
      return authenticator.callerOf(headers, request.origin, nowMs);

    if (authenticator.carriesKey(headers)) throw new ApiError(generalErrors.wrongNamespace);
    if (operation.signsIn) this.#admitSignIn(request);
    // A public page is for everyone, also for a browser whose session has run out.
    if (operation.access === 'public' && !operation.publicUnless?.(this.#parts.site))
      return anonymous;
    const caller = authenticator.callerOf(headers, request.origin, nowMs);
    return caller === anonymous && operation.trustLoopback && isLocal(request.raw)
      ? system
      : caller;
  }

  /** A password, like a key, travels encrypted; only on this machine itself in the clear. */
  #admitSignIn(request: FastifyRequest): void {
    if (!request.origin.secure && !isLocal(request.raw)) {
      throw new ApiError(generalErrors.httpsRequired);
    }
    this.#parts.authenticator.refuseLockedOut(request.origin);
  }

  #admitCaller(request: FastifyRequest, caller: Caller, done: HookHandlerDoneFunction): void {
    request.caller = caller;
    if (this.operation.namespace === 'site') {
      requireCaller(this.operation, caller, this.#parts.site);
      return done();
    }
    const { site } = this.#parts;
    const setting = caller === anonymous ? anonymousRatePerMinute : ratePerMinute;
    const limit = site.settings.get(setting);
    const allowance = site.limits.take(caller.identity, limit);
    const go = (left: Allowance) => {
      tellAllowance(request.answerHeaders, limit, left);
      if (!left.allowed) {
        throw new ApiError(generalErrors.rateLimited, { data: { retry_after: WINDOW_MS / 1000 } });
      }
      requireCaller(this.operation, caller, site);
      done();
    };
    if (allowance instanceof Promise) allowance.then(go).catch(done);
    else go(allowance);
  }

  #run(request: FastifyRequest): unknown {
    const { site } = this.#parts;
    const input = this.#takesInput ? this.#readInput(request) : {};
    const { headers } = request.raw;
    const key = this.#takesKey ? idempotencyKeyOf(headers) : undefined;
    const facts = new HttpFacts(request, this.#parts);
    requirePermission(this.operation, request.caller, site, input, facts);
    return key === undefined
      ? runOperation(this.operation, site, request.caller, facts, input)
      : runOnce(key, this.operation, site, request.caller, facts, input);
  }

  #readInput(request: FastifyRequest): Record<string, unknown> {
    return readInput(this.operation, this.#parts.site, {
      params: request.params as Record<string, unknown>,
      query: request.query as Record<string, unknown>,
      body: request.body,
      bodyIsText: bodyIsText(request),
    });
  }

  #answer(reply: FastifyReply, result: unknown): void {
    if (!(result instanceof Answer)) return send(reply, this.operation.status ?? 200, result);
    const { answerHeaders } = reply.request;
    for (const name in result.headers) answerHeaders.set(name, result.headers[name]!);
    send(reply, result.status ?? this.operation.status ?? 200, result.body);
  }

  #fail(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    reply.send(this.operation.signsIn ? this.#signInFailure(request, error) : error);
  }

  /** A wrong password counts, unless so many were wrong meanwhile that the door is closed already. */
  #signInFailure(request: FastifyRequest, error: unknown): unknown {
    if (!(error instanceof ApiError) || error.definition.status !== 401) return error;
    const { authenticator } = this.#parts;
    try {
      authenticator.refuseLockedOut(request.origin);
    } catch (lockedOut) {
      return lockedOut;
    }
    authenticator.countFailure(request.origin);
    return error;
  }
}

/** `/coupons/` is no coupon without an id, but a path that does not exist. */
function namesNothing(request: FastifyRequest): boolean {
  const params = request.params as Record<string, string>;
  for (const name in params) if (params[name] === '') return true;
  return false;
}

/** The draft standard of the IETF: what the allowance is, and what is left of it. */
function tellAllowance(headers: AnswerHeaders, limit: number, left: Allowance): void {
  headers.add('ratelimit-policy', policyFor(limit));
  headers.add('ratelimit', `"default";r=${left.remaining};t=${Math.ceil(left.resetMs / 1000)}`);
}

const policies = new Map<number, string>();

function policyFor(limit: number): string {
  let policy = policies.get(limit);
  if (policy === undefined) {
    if (policies.size > 100) policies.clear();
    policies.set(limit, (policy = `"default";q=${limit};w=${WINDOW_MS / 1000}`));
  }
  return policy;
}
