import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorDefinition } from './errors.ts';
import type { Site } from './site.ts';

export const scopes = ['read', 'write', 'manage'] as const;
export type Scope = (typeof scopes)[number];

export const roles = ['administrator', 'manager', 'affiliate', 'customer'] as const;
export type Role = (typeof roles)[number];

/** A person as the service knows them. */
export interface Person {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: Role;
}

export type AuthMethod = 'api_key' | 'application_password' | 'session';

/** The caller of an operation. */
export interface Caller {
  readonly kind: 'anonymous' | 'person' | 'system';
  /** Null for anonymous callers and for the service itself. */
  readonly person: Person | null;
  /** A suspended affiliate may read and change nothing. */
  readonly suspended: boolean;
  readonly method: AuthMethod | null;
  readonly keyId: number | null;
  /** Null where no scopes apply: sessions and application passwords may do what their person may. */
  readonly scopes: ReadonlySet<Scope> | null;
  /** Whose allowance of requests this call uses up. */
  readonly identity: string;
  /** Sessions only: the token that the X-Svc-CSRF header must carry. */
  readonly csrfToken: string | null;
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
};

/** The service itself and the command line, which has access to the data folder. */
export const system: Caller = { ...anonymous, kind: 'system', identity: 'system' };

/** The id of the acting person in events; 0 is the system. */
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

/** The capability to edit a user: managers may not touch administrators or one another. */
export function mayEdit(caller: Caller, user: { id: number; role: Role }): boolean {
  if (isPluginAdmin(caller)) return true;
  if (!isAdmin(caller)) return false;
  if (caller.person?.id === user.id) return true;
  return user.role !== 'administrator' && user.role !== 'manager';
}

export function hasScope(caller: Caller, scope: Scope | null): boolean {
  return scope === null || caller.scopes === null || caller.scopes.has(scope);
}

/** A way to authenticate. The first kind that finds its credential in a request decides. */
export interface CredentialKind {
  readonly method: AuthMethod;
  /** Refused over plain HTTP, whatever it is worth. */
  readonly needsHttps: boolean;
  /** Failures count towards the lock-out: true where guessing is conceivable. */
  readonly countsFailures: boolean;
  /** The answer to a bad one. */
  readonly refusal: ErrorDefinition;
  /** The credential a request carries, if it carries one of this kind. */
  find(headers: IncomingHttpHeaders, secure: boolean): string | undefined;
  /** Without a promise where the answer is in memory: this runs on every request. */
  verify(
    credential: string,
    site: Site,
    nowMs: number,
  ): Caller | undefined | Promise<Caller | undefined>;
}
