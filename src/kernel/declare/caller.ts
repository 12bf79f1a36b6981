import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorDefinition } from './errors.ts';
import type { Site } from './site.ts';

export const scopes = ['read', 'write', 'manage'] as const;
export type Scope = (typeof scopes)[number];

export const roles = ['administrator', 'manager', 'affiliate', 'customer'] as const;
export type Role = (typeof roles)[number];

/** A user account. */
export interface Person {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: Role;
}

export type AuthMethod = 'api_key' | 'application_password' | 'session';

export interface Caller {
  readonly kind: 'anonymous' | 'person' | 'system';
  /** Null for anonymous callers and for the service itself. */
  readonly person: Person | null;
  /** A suspended affiliate may read, but not change anything. */
  readonly suspended: boolean;
  readonly method: AuthMethod | null;
  readonly keyId: number | null;
  /** Null where scopes do not apply: sessions and application passwords have all rights of their user. */
  readonly scopes: ReadonlySet<Scope> | null;
  /** The rate limit counts requests by this string. */
  readonly identity: string;
  /** Sessions only: the token that the X-Svc-CSRF header must carry. */
  readonly csrfToken: string | null;
  /** Null without a session. */
  readonly session: CallerSession | null;
}

/** The session of a signed-in browser. */
export interface CallerSession {
  /** The id that people see; it is not the token. */
  readonly id: string;
  /** The hash of its token, which is its primary key. */
  readonly tokenHash: string;
  /** How long ago the user last proved who it is, by signing in or again since; Infinity for never. */
  msSinceProof(nowMs: number): number;
  /** True for an administrator who must set up a second factor first. */
  readonly awaitsSecondFactor: boolean;
}

export const anonymous: Caller = {
  kind: 'anonymous',
  person: null,
  suspended: false,
  method: null,
  keyId: null,
  scopes: null,
  identity: 'anonymous',
  csrfToken: null,
  session: null,
};

/** The service itself, and the command line: its user has access to the data folder anyway. */
export const system: Caller = { ...anonymous, kind: 'system', identity: 'system' };

/** The user id for events; 0 is the system. */
export function actorId(caller: Caller): number {
  return caller.person?.id ?? 0;
}

export function isAdmin(caller: Caller): boolean {
  const role = caller.person?.role;
  return caller.kind === 'system' || role === 'administrator' || role === 'manager';
}

export function isPluginAdmin(caller: Caller): boolean {
  return caller.kind === 'system' || caller.person?.role === 'administrator';
}

/** Whether the caller may edit a user: managers may not edit administrators or each other. */
export function mayEdit(caller: Caller, user: { id: number; role: Role }): boolean {
  if (isPluginAdmin(caller)) return true;
  if (!isAdmin(caller)) return false;
  if (caller.person?.id === user.id) return true;
  return user.role !== 'administrator' && user.role !== 'manager';
}

export function hasScope(caller: Caller, scope: Scope | null): boolean {
  return scope === null || caller.scopes === null || caller.scopes.has(scope);
}

/** A way to authenticate. The first kind that finds its credential in the request is used. */
export interface CredentialKind {
  readonly method: AuthMethod;
  /** The credential is refused over plain HTTP, even if it is valid. */
  readonly needsHttps: boolean;
  /** Failures count towards the lock-out. True for credentials that could be guessed. */
  readonly countsFailures: boolean;
  /** The error for an invalid credential. */
  readonly refusal: ErrorDefinition;
  /** Returns the credential of this kind in a request, if there is one. */
  find(headers: IncomingHttpHeaders, secure: boolean): string | undefined;
  /** Runs on every request, so it returns no promise if the result is cached. */
  verify(
    credential: string,
    site: Site,
    nowMs: number,
  ): Caller | undefined | Promise<Caller | undefined>;
}
