import type { KnownErrorCode } from './generated/error-codes.ts';

/**
 * The codes of the service. `http_502` and the like stand for answers without a code, which come from
 * a proxy in front of it.
 */
export type ErrorCode = KnownErrorCode | `http_${number}`;

/** Details of an error. Which ones there are depends on the code. */
export interface ErrorData {
  readonly status: number;
  readonly retry_after?: number;
  readonly [field: string]: unknown;
}

/** A setting that was changed after the version that a change is based on. */
export interface ForeignChange {
  readonly setting: string;
  /** The value that is stored now. */
  readonly value: unknown;
  /** Null for the system, such as the command line. */
  readonly by: { readonly id: number; readonly name: string } | null;
  readonly at: string;
}

/** Codes whose details have a known form. */
export interface ErrorDataByCode {
  /** Settings list what was changed. */
  svc_api_changed_meanwhile: { readonly changed?: readonly ForeignChange[] };
  svc_api_store_connected: { readonly connection_id: number; readonly name: string };
  svc_api_second_factor_required: {
    readonly sign_in_token: string;
    readonly methods: readonly ('totp' | 'passkey' | 'recovery')[];
  };
}

export type ErrorDataOf<C extends ErrorCode> = ErrorData &
  (C extends keyof ErrorDataByCode ? ErrorDataByCode[C] : unknown);

/** Where an error came from, beside its code and message. */
export interface ErrorFacts {
  status: number;
  data: ErrorData;
  requestId: string | undefined;
  retryAfter: number | undefined;
}

/** The service refused a call or failed. A refusal (status 4xx) has changed nothing. */
export class TributaryError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'TributaryError';
  /** For programs. A newer service may send codes that this version does not list. */
  readonly code: C;
  readonly status: number;
  readonly data: ErrorDataOf<C>;
  /** The faulty parameters, each with the reason. */
  readonly params: Readonly<Record<string, string>>;
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;

  constructor(code: C, message: string, facts: ErrorFacts) {
    super(message);
    this.code = code;
    this.status = facts.status;
    // The service sends these fields with these codes.
    this.data = facts.data as ErrorDataOf<C>;
    this.params = paramsOf(facts.data);
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
  }
}

/** No response arrived: the connection failed or broke. A change may have been made or not. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** The time for the call ran out. A change may have been made or not. */
export class TimeoutError extends Error {
  override readonly name: string = 'TimeoutError';
}

/** Whether an error is a `TributaryError` with one of these codes. */
export function hasCode<const C extends ErrorCode>(
  error: unknown,
  ...codes: readonly C[]
): error is TributaryError<C> {
  return error instanceof TributaryError && (codes as readonly string[]).includes(error.code);
}

/** Reads the error of a response that is not a success. */
export async function errorOf(response: Response): Promise<TributaryError> {
  const { status, statusText, headers } = response;
  const body = bodyOf(await response.text());
  const data = { ...body.data, status };
  const seconds = Number(headers.get('retry-after') ?? data.retry_after ?? Number.NaN);
  return new TributaryError(
    body.code ?? `http_${status}`,
    body.message ?? `The server answered with ${status} ${statusText}`.trim(),
    {
      status,
      data,
      requestId: headers.get('x-request-id') ?? undefined,
      retryAfter: Number.isNaN(seconds) ? undefined : seconds,
    },
  );
}

interface ErrorBody {
  code?: ErrorCode;
  message?: string;
  data?: Partial<ErrorData>;
}

function bodyOf(text: string): ErrorBody {
  try {
    // The shape of every error of the service; other answers have no code.
    const body = JSON.parse(text) as ErrorBody | null;
    return typeof body?.code === 'string' ? body : {};
  } catch {
    return {};
  }
}

function paramsOf({ params, invalid }: ErrorData): Record<string, string> {
  const named = Array.isArray(params)
    ? Object.fromEntries(params.map((name) => [String(name), 'is missing']))
    : params;
  return Object.assign({}, named, invalid);
}
