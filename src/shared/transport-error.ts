/**
 * Why a request to a user's server got no response, in a fixed set of messages: details from the network or the
 * other side could reveal hosts that the user cannot see.
 */
const transportErrorKinds = {
  dns: 'The name of the receiver could not be resolved.',
  address: 'The address of the receiver is not a public one.',
  refused: 'The receiver refused the connection.',
  unreachable: 'The receiver could not be reached.',
  timeout: 'The receiver did not answer in time.',
  tls: 'No trusted TLS connection could be made.',
  reset: 'The receiver closed the connection without an answer.',
  invalid: 'The receiver did not answer in HTTP.',
  'too-large': "The head of the receiver's answer is too large.",
  failed: 'The request to the receiver failed.',
} as const;

export type TransportErrorKind = keyof typeof transportErrorKinds;

export class TransportError extends Error {
  override name = 'TransportError';
  readonly error: TransportErrorKind;

  constructor(error: TransportErrorKind, cause?: unknown) {
    super(transportErrorKinds[error], { cause });
    this.error = error;
  }
}

const FAULTS: Record<string, TransportErrorKind> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  HPE_HEADER_OVERFLOW: 'too-large',
};

export function toTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  // undici adds a code to its errors, and any value can be thrown.
  const { code = '', name = '' } = (error ?? {}) as { code?: string; name?: string };
  const fallback = name === 'HTTPParserError' ? 'invalid' : 'failed';
  return new TransportError(FAULTS[code] ?? fallback, error);
}
