import type { Static, TObject, TSchema } from 'typebox';
import type { Reader, Transaction } from '../../db/database.ts';
import type { ActiveDeclarations } from './active-declarations.ts';
import type { Caller, Scope } from './caller.ts';
import type { ErrorDefinition } from './errors.ts';
import type { FieldErrors } from './field-errors.ts';
import type { HttpResponse } from './http-response.ts';
import type { Site } from './site.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `v2` is the specified API, `store` is the write path beside it, `site` is everything outside /svc/. */
export type Namespace = 'v2' | 'store' | 'site';

export const namespacePaths: Record<Namespace, string> = {
  v2: '/svc/v2',
  store: '/svc/store/v1',
  site: '',
};

/**
 * Access levels. `owner`: any signed-in user may call the operation, which responds with 404 for records
 * of other users. `plugin-admin`: administrators, but not managers. `guarded`: the operation's `guard`
 * decides, regardless of roles and credentials.
 */
export type Access = 'public' | 'user' | 'owner' | 'admin' | 'plugin-admin' | 'guarded';

/** The facts of a request that a guard decides by. */
export interface GuardFacts {
  /** The token of `Authorization: Bearer`. */
  readonly token: string | undefined;
  /** Whether a process on this machine sent the request, without a proxy in between. */
  readonly isLocal: boolean;
}

/** `hide`: the response to this caller is that of an unknown path. */
export type Guard = (site: Site, facts: GuardFacts) => 'allow' | 'deny' | 'hide';

/** Everything that an operation receives besides its input. */
export interface Context<D, T = unknown> {
  /** The running transaction; a reader without a transaction for GET and with `transaction: false`. */
  readonly db: D;
  readonly caller: Caller;
  readonly site: Site;
  readonly nowMs: number;
  readonly request: RequestFacts;
  /** The result of the operation's `prepare`; undefined if it has none. */
  readonly prepared: T;
}

/** What is known of a request before its body is read. */
export interface BodyFacts {
  readonly network: string;
  readonly params: Readonly<Record<string, string>>;
  /** The length that the request announces; the most that is read if it announces none. */
  readonly bytes: number;
}

/** What the files of a form become. A part named `json` may have the other parameters, with their types. */
export interface Upload {
  /** The part with a file. Without `name` its parameter becomes `{ name, content }`, or a list of them. */
  readonly content: string;
  /** The parameter that receives the name, unless another part gives it, or null: `content` then receives the bytes. */
  readonly name?: string | null;
  readonly isList?: true;
  /** The bytes are text in UTF-8; otherwise they are passed on in base64. */
  readonly isText?: true;
  /** Of all files together: what is as long in JSON would delay other requests. */
  readonly bytesMax: number;
}

export interface RequestFacts {
  /** The value of the response header X-Request-Id. Every log line about the request contains it. */
  readonly requestId: string;
  /** The caller's network address; behind trusted proxies, the address that they report. */
  readonly address: string;
  /** The network that limits count by: the IPv4 address, or the /64 of the IPv6 address. */
  readonly network: string;
  /** Throws if the caller has disconnected or has been locked out. Call it before expensive work. */
  requireStillThere(): void;
  readonly secure: boolean;
  /** The raw query string, without the question mark. */
  readonly search: string;
  cookie(name: string): string | undefined;
  /** A page of another site caused the request. Sibling hosts (`shop.` and `www.`) are one site. */
  readonly fromOtherSite: boolean;
  /** A page of any other host caused the request, sibling hosts included. */
  readonly fromOtherOrigin: boolean;
  /** A browser has confirmed that a page of the same origin caused the request, as the browser sees it. */
  readonly isSameOrigin: boolean;
  /** The value of the header Accept-Language; empty without one. */
  readonly acceptLanguage: string;
  /** The value of the header If-Match. */
  readonly ifMatch: string | undefined;
  /** The value of the header X-Svc-CSRF. */
  readonly csrfHeader: string | undefined;
  /** The header X-Svc-View-As: the page shows what the affiliate with this id sees, and must change nothing. */
  readonly viewAs: string | undefined;
  /** The header User-Agent as it was sent; empty without one. */
  readonly userAgent: string;
  /** The header Referer as it was sent; empty without one. */
  readonly referrer: string;
  /** False for HEAD and prefetches, which are not visits. */
  readonly isVisit: boolean;
  /** All headers, with names in lower case; the values of a repeated one are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body as they arrived, for an operation with `rawBody`; otherwise empty. */
  readonly body: Buffer;
}

/** A schema, or a function that derives one from the declarations of the active modules. */
export type Live<T extends TSchema> = T | ((active: ActiveDeclarations) => T);

type Shape<T> = T extends TObject ? Static<T> : unknown;

/** The result of `handle`: a value of the `response` schema, alone or with a status and headers. */
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
  /**
   * A session needs a recent proof of identity (`call/proof.ts`), because a thief of an open browser would earn money or
   * get a lasting secret by it: always, for some inputs, or `sometimes`: its handler decides by rows, with
   * `requireProof`. The operations without it are in `test/support/without-proof.ts`, each with the reason.
   */
  proof?:
    | true
    | 'sometimes'
    | ((input: Shape<P> & Shape<Q> & Shape<B>, site: Site, caller: Caller) => boolean);
  params?: P;
  query?: Q;
  body?: B extends TObject ? Live<B> : never;
  /** The list parameter that receives the items when the body is an array instead of an object. */
  listBody?: B extends TObject ? keyof B['properties'] & string : never;
  /** The success status; 200 by default. */
  status?: number;
  /**
   * The other status, or statuses, of an operation that has several without an error code: 201 beside 200
   * for a new record, or 410 for an expired page.
   */
  otherStatus?: number | readonly number[];
  /** The schema of the success body; a string if `contentType` is not JSON. */
  response: Live<R>;
  /**
   * The example in the OpenAPI document: a request body, and the fields of the response that differ from
   * the example of the `response` schema.
   */
  example?: { body?: Partial<Shape<B>> | readonly unknown[]; response?: unknown };
  /** The media type of the success response if it is not JSON. */
  contentType?: string;
  /** Response headers worth documenting. */
  headers?: Record<string, string>;
  /** The operation's own errors, in addition to the general ones. */
  errors?: readonly ErrorDefinition[];
  /** Whether a setting currently restricts this public operation to admins. */
  publicUnless?: (site: Site) => boolean;
  /** Required where `access` is `guarded`. */
  guard?: Guard;
  /**
   * The operation reads the bytes of its body itself, of any media type, up to this size (outside /svc/ only). It
   * declares no `body`. `admit` decides before the body is read whether it is: it returns what to call when the request
   * has ended, or undefined to answer 429.
   */
  rawBody?: {
    readonly bytesMax: number;
    readonly admit?: (site: Site, facts: BodyFacts) => (() => void) | undefined;
  };
  /**
   * The body may have up to this many bytes, where others have 1 MiB, and 16 KiB if the operation is public. A longer one
   * is read only of callers that may call the operation.
   */
  bodyBytesMax?: number;
  /** The JSON of the body may have up to this many values, and as many escapes, where others have 20,000. */
  bodyValuesMax?: number;
  /** The body may also be `multipart/form-data`, with files as parts (under /svc/ only). */
  upload?: Upload;
  /** Requests to this operation do not count towards the per-network limit (outside /svc/ only). */
  unlimited?: true;
  /** The operation checks a password: a 401 counts towards the lock-out, which refuses it in turn. */
  signsIn?: boolean;
  /** The response contains a secret, so an Idempotency-Key replays it for ten minutes only. */
  secretAnswer?: boolean;
  /** Suspended affiliates may call this operation although it changes data, such as sign-out. */
  whileSuspended?: boolean;
  /** Administrators who must set up a second factor may call this operation before they have. */
  beforeSecondFactor?: boolean;
  /** A parameter that turns a GET into a change when it is true: it needs the CSRF header and this scope. */
  refresh?: { parameter: string; scope: Scope };
  /**
   * The operation may run long statements (`db/statements/query.ts`) or read a table as a whole, always or with some
   * input: few of them run at a time, for a caller and for all (`http/long-work.ts`).
   */
  long?: true | ((input: Shape<P> & Shape<Q> & Shape<B>, site: Site) => boolean);
  /** A GET that records who has read something: it needs the CSRF header like a change. */
  recordsReader?: true;
  /**
   * Adds errors that a schema cannot express, such as more decimals than the currency has. It runs
   * together with the schemas, so that one response names every invalid parameter; `input` lacks the
   * parameters that already have an error.
   */
  check?(input: Partial<Shape<P> & Shape<Q> & Shape<B>>, errors: FieldErrors, site: Site): void;
  /**
   * Throws if the caller may not change the record, if it is absent, or if a setting or limit refuses the change. It
   * runs before `prepare`, which therefore neither works nor stores anything, and reveals nothing, for such a request.
   * `handle` checks again what may change in the meantime.
   */
  permit?(context: Context<Reader>, input: Shape<P> & Shape<Q> & Shape<B>): Promise<unknown>;
  /** Slow work that must not hold the transaction open, such as hashing a password or a DNS lookup. */
  prepare?(
    input: Shape<P> & Shape<Q> & Shape<B>,
    site: Site,
    request: RequestFacts,
    caller: Caller,
  ): Promise<T>;
  /** False if the operation calls external services, and so opens its transactions itself. */
  transaction?: boolean;
  handle(
    context: Context<M extends 'GET' ? Reader : Transaction, T>,
    input: Shape<P> & Shape<Q> & Shape<B>,
  ): HandlerResult<NoInfer<Static<R>>>;
}

/** An operation as the kernel runs it, without the types of its input. `T` is its success body. */
export interface Operation<T = unknown> extends Omit<
  OperationDefinition,
  'handle' | 'permit' | 'prepare' | 'check' | 'body' | 'listBody' | 'example' | 'proof' | 'long'
> {
  readonly id: string;
  /** The full path, with the namespace. */
  readonly url: string;
  /** The name under which settings switch it off. */
  readonly switchName: string;
  readonly body?: Live<TObject>;
  readonly proof?:
    | true
    | 'sometimes'
    | ((input: Record<string, unknown>, site: Site, caller: Caller) => boolean);
  readonly long?: true | ((input: Record<string, unknown>, site: Site) => boolean);
  readonly listBody?: string;
  readonly example?: { body?: unknown; response?: unknown };
  check?(input: Record<string, unknown>, errors: FieldErrors, site: Site): void;
  permit?(context: Context<Reader>, input: Record<string, unknown>): Promise<unknown>;
  prepare?(
    input: Record<string, unknown>,
    site: Site,
    request: RequestFacts,
    caller: Caller,
  ): Promise<unknown>;
  handle(context: Context<Reader & Transaction>, input: Record<string, unknown>): HandlerResult<T>;
}

/** Declares an operation. Each file declares one. */
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
    // Dropping the input types is safe: the kernel validates the input with the schemas they come from,
    // and passes the result of `prepare` on to `handle`.
    ...(definition as Omit<Operation<Static<R>>, 'id' | 'url' | 'switchName'>),
    id,
    url: namespacePaths[definition.namespace] + definition.path,
    switchName: definition.namespace === 'v2' ? id : `${definition.namespace}:${id}`,
  };
}

/** The `long` of a list: a search may pass many rows. */
export const whenSearched = ({ search }: { search?: string | undefined }): boolean =>
  search !== undefined;

/** Whether it is long with this input. */
export function isLong({ long }: Operation, input: Record<string, unknown>, site: Site): boolean {
  return typeof long === 'function' ? long(input, site) : long === true;
}

/** `get_coupons_id_stats`: the method, then the segments of the path with the names of parameters. */
function operationId(method: Method, path: string): string {
  const segments = path.split('/').filter(Boolean);
  return [method.toLowerCase(), ...segments.map((s) => s.replaceAll(/[{}]/g, ''))].join('_');
}
