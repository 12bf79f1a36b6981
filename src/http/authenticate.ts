import type { IncomingHttpHeaders } from 'node:http';
import type { LockOut } from '../kernel/call/lock-out.ts';
import { anonymous, type Caller, type CredentialKind } from '../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../kernel/declare/errors.ts';
import type { Site } from '../kernel/declare/site.ts';
import type { Origin } from './connections/trusted-proxies.ts';

/** The parts of a request that authentication and its log lines need. */
export interface CredentialRequest {
  readonly id: string;
  readonly origin: Origin;
  readonly raw: { readonly headers: IncomingHttpHeaders };
}

/**
 * Identifies the caller. A request with an invalid credential is refused instead of treated as anonymous,
 * and no credential is checked from an address that is locked out.
 */
export class Authenticator {
  readonly #site: Site;
  readonly #lockOut: LockOut;
  readonly #kinds: CredentialKind[];

  constructor(site: Site, lockOut: LockOut) {
    this.#site = site;
    this.#lockOut = lockOut;
    this.#kinds = site.registry.modules.flatMap((module) => module.credentials ?? []);
  }

  /** Returns no promise if the caller is cached, because this runs on every request. */
  callerOf(request: CredentialRequest, nowMs: number): Caller | Promise<Caller> {
    const { origin } = request;
    const { headers } = request.raw;
    for (const kind of this.#kinds) {
      const credential = kind.find(headers, origin.secure);
      if (credential !== undefined) return this.#verify(kind, credential, request, nowMs);
    }
    if (headers.authorization === undefined) return anonymous;
    // A credential of an unknown kind is invalid.
    this.refuseLockedOut(origin);
    throw this.#fail(generalErrors.unauthorized, request, 'unknown');
  }

  carriesKey(headers: IncomingHttpHeaders): boolean {
    return this.#kinds.some(
      (kind) => kind.method === 'api_key' && kind.find(headers, true) !== undefined,
    );
  }

  refuseLockedOut(origin: Origin): void {
    if (this.#lockOut.isEmpty) return;
    const remainingMs = this.#lockOut.remainingMs(origin.address);
    if (remainingMs === 0) return;
    throw new ApiError(generalErrors.lockedOut, {
      data: { retry_after: Math.ceil(remainingMs / 1000) },
    });
  }

  /** `by` is the kind of credential. The lock-out limits attempts, and so the number of log lines. */
  countFailure({ id: requestId, origin }: CredentialRequest, by: string): void {
    const { address } = origin;
    this.#site.log.info({ requestId, address, by }, 'a credential was refused');
    this.#lockOut.fail(origin.address);
    if (this.#lockOut.remainingMs(origin.address) > 0) {
      this.#site.log.warn({ requestId, address }, 'locked out after repeated failures to sign in');
    }
  }

  #verify(
    kind: CredentialKind,
    credential: string,
    request: CredentialRequest,
    nowMs: number,
  ): Caller | Promise<Caller> {
    const { origin } = request;
    if (kind.needsHttps && !origin.secure) throw new ApiError(generalErrors.httpsRequired);
    this.refuseLockedOut(origin);
    const caller = kind.verify(credential, this.#site, nowMs);
    if (!(caller instanceof Promise)) return caller ?? this.#refuse(kind, request);
    return caller.then((found) => {
      // Concurrent attempts may have failed in the meantime. They count like consecutive ones.
      this.refuseLockedOut(origin);
      return found ?? this.#refuse(kind, request);
    });
  }

  #refuse(kind: CredentialKind, request: CredentialRequest): never {
    if (!kind.countsFailures) throw new ApiError(kind.refusal);
    throw this.#fail(kind.refusal, request, kind.method);
  }

  #fail(refusal: CredentialKind['refusal'], request: CredentialRequest, by: string): ApiError {
    this.countFailure(request, by);
    return new ApiError(refusal);
  }
}
