import type { FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type Caller } from '../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../kernel/declare/errors.ts';
import type { Site } from '../kernel/declare/site.ts';
import type { Authenticator } from './authenticate.ts';
import { rateLimited, type RequestLimits } from './request-limits.ts';
import { sendError } from './response/error-response.ts';
import { send } from './response/send-response.ts';

export interface UnroutedParts {
  site: Site;
  authenticator: Authenticator;
  limits: RequestLimits;
}

/**
 * Responds to requests that match no operation: unknown paths and methods, malformed URLs, and operations
 * that are switched off. All of them are handled and counted here, so that a caller cannot tell them apart.
 */
export class Unrouted {
  readonly #parts: UnroutedParts;

  constructor(parts: UnroutedParts) {
    this.#parts = parts;
  }

  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal = new ApiError(generalErrors.noRoute),
  ): void {
    const { site } = this.#parts;
    const finish = (isWithinLimit: boolean) => {
      const target = isWithinLimit ? withoutSlash(request) : undefined;
      if (target === undefined) {
        sendError(isWithinLimit ? refusal : rateLimited(), reply, site);
        return;
      }
      request.responseHeaders.add('location', target);
      send(reply, 308, '');
    };
    const isWithinLimit = this.#take(request);
    if (isWithinLimit instanceof Promise) {
      isWithinLimit.then(finish).catch((error: unknown) => sendError(error, reply, site));
    } else {
      finish(isWithinLimit);
    }
  }

  #take(request: FastifyRequest): boolean | Promise<boolean> {
    const { limits } = this.#parts;
    if (!isUnderApi(request.raw.url!)) return limits.takeForNetwork(request);
    const caller = this.#callerOf(request);
    return caller instanceof Promise
      ? caller.then((known) => limits.takeFor(known, request))
      : limits.takeFor(caller, request);
  }

  /** An invalid credential counts as a failure, but the response is that of an unknown path. */
  #callerOf(request: FastifyRequest): Caller | Promise<Caller> {
    const { authenticator, site } = this.#parts;
    try {
      const caller = authenticator.callerOf(request, site.clock());
      return caller instanceof Promise ? caller.catch(anonymousIfRefused) : caller;
    } catch (error) {
      return anonymousIfRefused(error);
    }
  }
}

function anonymousIfRefused(error: unknown): Caller {
  if (error instanceof ApiError) return anonymous;
  throw error;
}

/**
 * The address of a page typed with a slash at its end, such as `/console/`. Only plain names: in
 * `//other.example/` the rest would be the address of another host.
 */
const WITH_SLASH = /^((?:\/[\w-]+)+)\/(\?.{0,500})?$/;

function withoutSlash({ raw }: FastifyRequest): string | undefined {
  if (raw.method !== 'GET' || isUnderApi(raw.url!)) return undefined;
  const found = WITH_SLASH.exec(raw.url!);
  return found ? found[1]! + (found[2] ?? '') : undefined;
}

function isUnderApi(url: string): boolean {
  return url.startsWith('/svc/');
}
