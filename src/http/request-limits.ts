import type { FastifyRequest } from 'fastify';
import {
  anonymousRatePerMinute,
  pageRatePerMinute,
  ratePerMinute,
  siteRatePerMinute,
} from '../kernel/call/rate-limit-settings.ts';
import { WINDOW_MS, type Allowance } from '../kernel/call/rate-limit.ts';
import { anonymous, type Caller } from '../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../kernel/declare/errors.ts';
import type { Site } from '../kernel/declare/site.ts';
import { BoundedMap } from '../shared/bounded-map.ts';
import { networkOf } from '../shared/network.ts';
import type { ResponseHeaders } from './response/response-headers.ts';

/** The pages of all sessions of a user have the allowance of this many: a person has a computer and a phone. */
const USER_SESSIONS = 2;

/** The rate limits: per identity or session of a page under /svc/, per network outside it. */
export class RequestLimits {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /**
   * Takes a request from the caller's allowance and adds the rest to the response headers. Returns whether
   * it was within the limit, without a promise if the count is in memory.
   */
  takeFor(caller: Caller, request: FastifyRequest): boolean | Promise<boolean> {
    const { settings, limits } = this.#site;
    const { identity, setting } = countedAs(caller, request);
    const limit = settings.get(setting);
    const left = limits.take(identity, limit);
    const isAllowed =
      left instanceof Promise
        ? left.then((known) => addAllowance(request.responseHeaders, limit, known))
        : addAllowance(request.responseHeaders, limit, left);
    if (setting !== pageRatePerMinute) return isAllowed;
    const ofUser = limits.take(`pages of user ${caller.person?.id}`, USER_SESSIONS * limit);
    // With Redis, each of the two may be known at once or later.
    return isAllowed instanceof Promise || ofUser instanceof Promise
      ? Promise.all([isAllowed, ofUser]).then(([session, user]) => session && user.allowed)
      : isAllowed && ofUser.allowed;
  }

  /** Takes a request from the allowance of the caller's network. */
  takeForNetwork(request: FastifyRequest): boolean | Promise<boolean> {
    const { settings, limits } = this.#site;
    const network = networkOf(request.origin.address);
    const left = limits.take(`site from ${network}`, settings.get(siteRatePerMinute));
    return left instanceof Promise ? left.then((known) => known.allowed) : left.allowed;
  }
}

/**
 * A screen makes many calls at once, and a person opens several within a minute. So calls from our own pages count for
 * their session, and leave the specified limit to programs. Browsers set this header themselves; no page can.
 */
function countedAs(caller: Caller, { raw }: FastifyRequest) {
  const { identity, session } = caller;
  if (session && raw.headers['sec-fetch-site'] === 'same-origin') {
    return { identity: `pages of ${session.id}`, setting: pageRatePerMinute };
  }
  return { identity, setting: caller === anonymous ? anonymousRatePerMinute : ratePerMinute };
}

export function rateLimited(): ApiError {
  return new ApiError(generalErrors.rateLimited, { data: { retry_after: WINDOW_MS / 1000 } });
}

/** The headers of the IETF draft "RateLimit header fields for HTTP". */
function addAllowance(headers: ResponseHeaders, limit: number, left: Allowance): boolean {
  headers.add('ratelimit-policy', policyFor(limit));
  headers.add('ratelimit', `"default";r=${left.remaining};t=${Math.ceil(left.resetMs / 1000)}`);
  return left.allowed;
}

const policies = new BoundedMap<number, string>(100);

function policyFor(limit: number): string {
  let policy = policies.get(limit);
  if (policy === undefined) {
    policies.set(limit, (policy = `"default";q=${limit};w=${WINDOW_MS / 1000}`));
  }
  return policy;
}
