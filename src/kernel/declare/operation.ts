import type { Static, TObject, TSchema } from 'typebox';
import type { Reader, Transaction } from '../../db/database.ts';
import type { ActiveDeclarations } from './active-declarations.ts';
import type { Caller, Scope } from './caller.ts';
import type { ErrorDefinition } from './errors.ts';
import type { Faults } from './faults.ts';
import type { HttpResponse } from './http-response.ts';
import type { Site } from './site.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `v2` is the specified API, `store` the write path beside it, `site` what lies outside both. */
export type Namespace = 'v2' | 'store' | 'site';

export const namespacePaths: Record<Namespace, string> = {
  v2: '/svc/v2',
  store: '/svc/store/v1',
  site: '',
};

/**
 * Access levels. `owner`: any signed-in user passes, and the operation answers 404 for records of other
 * users. `plugin-admin`: administrators, not managers. `guarded`: the operation's own `guard` decides,
 * and roles and credentials do not matter.
 */
export type Access = 'public' | 'user' | 'owner' | 'admin' | 'plugin-admin' | 'guarded';

/** What a guard may know of a request. */
export interface GuardFacts {
  /** What follows `Authorization: Bearer`. */
  readonly token: string | undefined;
  /** From a process on this machine, and not through a proxy. */
  readonly isLocal: boolean;
}

/** `hide`: for this caller the operation is an unknown path. */
export type Guard = (site: Site, facts: GuardFacts) => 'allow' | 'deny' | 'hide';

/** What an operation needs to know besides its input. */
export interface Context<D, T = unknown> {
  /** The running transaction; for GET, and with `transaction: false`, reads only. */
  readonly db: D;
  readonly caller: Caller;
  readonly site: Site;
  readonly nowMs: number;
  readonly request: RequestFacts;
  /** What the operation's `prepare` returned; undefined where it has none. */
  readonly prepared: T;
}

export interface RequestFacts {
  /** As in the header X-Request-Id of the answer; every log line about the request has it. */
  readonly requestId: string;
  /** The caller's network address, behind trusted proxies the one they report. */
  readonly address: string;
  /** What counts as one caller: that address, or its /64 network of IPv6. */
  readonly network: string;
  /** Throws when the caller is locked out by now, or gone: ask before costly work. */
  requireStillThere(): void;
  readonly secure: boolean;
  /** The query string as it came, without its question mark. */
  readonly search: string;
  /** A cookie of the request. */
  cookie(name: string): string | undefined;
  /** A browser sent it for a page of another site. Sibling hosts (`shop.` and `www.`) are one site. */
  readonly fromOtherSite: boolean;
  /** A browser sent it for a page of any other host, sibling hosts included. */
  readonly fromOtherOrigin: boolean;
  /** What the header X-Svc-CSRF says. */
  readonly csrfHeader: string | undefined;
  /** False for HEAD and prefetches, which are not visits. */
  readonly isVisit: boolean;
}

/** A schema, or a function of what the active modules declare. */
export type Live<T extends TSchema> = T | ((active: ActiveDeclarations) => T);

type Shape<T> = T extends TObject ? Static<T> : unknown;

/** What `handle` returns: the value of the `response` schema, alone or with a status and headers. */
export type HandlerResult<T> = T | HttpResponse<T> | Promise<T | HttpResponse<T>>;

export interface OperationDefinition<
  M extends Method = Method,
  P extends TObject | undefined = TObject | undefined,
  Q extends TObject | undefined = TObject | undefined,
  B extends TObject | undefined = TObject | undefined,
  R extends TSchema = TSchema,
  T = unknown,
> {
  method: M;
  namespace: Namespace;
  /** With parameters in braces: `/keys/{id}`. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  scope: Scope | null;
  params?: P;
  query?: Q;
  body?: B extends TObject ? Live<B> : never;
  /** The list among the body's parameters that a body which is an array itself stands for. */
  listBody?: B extends TObject ? keyof B['properties'] & string : never;
  /** The status of a good answer; 200 when not said. */
  status?: number;
  /** The second status without an error code: 201 beside 200 for a new record, 410 of an expired page. */
  otherStatus?: number;
  /** The body of a good answer. Where `contentType` says that it is not JSON, a string. */
  response: Live<R>;
  /**
   * What the document shows of it: a body, and in what the answer to it differs from the example of its
   * schema.
   */
  example?: { body?: Partial<Shape<B>> | readonly unknown[]; response?: unknown };
  /** The type of a good answer where it is not JSON. */
  contentType?: string;
  /** Response headers worth documenting. */
  headers?: Record<string, string>;
  /** Refusals of its own, beyond the general ones. */
  errors?: readonly ErrorDefinition[];
  /** Whether a public operation is restricted to admins at the moment. */
  publicUnless?: (site: Site) => boolean;
  /** Decides where the access is `guarded`. */
  guard?: Guard;
  /** Outside /svc/: not counted by the limit of a network's requests. */
  unlimited?: true;
  /** Takes a password: a 401 counts towards the lock-out, which then refuses this operation too. */
  signsIn?: boolean;
  /** The answer holds a secret that is shown once: an Idempotency-Key repeats it for ten minutes only. */
  secretAnswer?: boolean;
  /** A change that a suspended affiliate may make all the same: signing out. */
  whileSuspended?: boolean;
  /** A parameter that, when true, makes a read a change: it needs the CSRF header and this scope. */
  refresh?: { parameter: string; scope: Scope };
  /**
   * Adds the faults that the schemas cannot tell, such as more decimals than the currency has. It runs
   * with them, so that every faulty parameter is named at once: those with a fault are not in `input`.
   */
  check?(input: Partial<Shape<P> & Shape<Q> & Shape<B>>, faults: Faults, site: Site): void;
  /** What takes a while, such as hashing a password or asking a name server: before the transaction. */
  prepare?(input: Shape<P> & Shape<Q> & Shape<B>, site: Site, request: RequestFacts): Promise<T>;
  /** False: the operation talks to the outside and opens transactions itself. */
  transaction?: boolean;
  handle(
    context: Context<M extends 'GET' ? Reader : Transaction, T>,
    input: Shape<P> & Shape<Q> & Shape<B>,
  ): HandlerResult<NoInfer<Static<R>>>;
}

/** An operation as the kernel runs it, whatever its input. `T` is the body of its good answer. */
export interface Operation<T = unknown> extends Omit<
  OperationDefinition,
  'handle' | 'prepare' | 'check' | 'body' | 'listBody' | 'example'
> {
  readonly id: string;
  /** The whole path, with the namespace. */
  readonly url: string;
  /** How settings name it when they switch it off. */
  readonly switchName: string;
  readonly body?: Live<TObject>;
  readonly listBody?: string;
  readonly example?: { body?: unknown; response?: unknown };
  check?(input: Record<string, unknown>, faults: Faults, site: Site): void;
  prepare?(input: Record<string, unknown>, site: Site, request: RequestFacts): Promise<unknown>;
  handle(context: Context<Reader & Transaction>, input: Record<string, unknown>): HandlerResult<T>;
}

/** Declares an operation: its contract and its steps, one operation per file. */
export function operation<
  const M extends Method,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
  R extends TSchema = TSchema,
  T = undefined,
>(definition: OperationDefinition<M, P, Q, B, R, T>): Operation<Static<R>> {
  const id = operationId(definition.method, definition.path);
  return {
    // The kernel reads the input by the schemas that typed it, and passes `prepare`'s result to `handle`.
    ...(definition as Omit<Operation<Static<R>>, 'id' | 'url' | 'switchName'>),
    id,
    url: namespacePaths[definition.namespace] + definition.path,
    switchName: definition.namespace === 'v2' ? id : `${definition.namespace}:${id}`,
  };
}

/** `get_coupons_id_stats`: the method, then the segments of the path, parameters by their name. */
function operationId(method: Method, path: string): string {
  const segments = path.split('/').filter(Boolean);
  return [method.toLowerCase(), ...segments.map((s) => s.replaceAll(/[{}]/g, ''))].join('_');
}
