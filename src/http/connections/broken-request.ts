import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { STATUS_CODES } from '../../shared/node-http.ts';
import { ResponseHeaders } from '../response/response-headers.ts';
import { endAfterResponses } from './request-queue.ts';

const BAD_REQUEST = new ApiError(generalErrors.badRequest);

const NODE_ERRORS: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: new ApiError(generalErrors.headersTooLarge),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ApiError(generalErrors.payloadTooLarge),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(generalErrors.requestTimeout),
};

/** The codes of errors of the HTTP parser and its timeouts, as opposed to TLS and the network. */
const HTTP_ERROR = /^(?:HPE|ERR_HTTP)_/;

/**
 * Responds to bytes that are not HTTP, which never reach a route, with an error of the usual shape. If the
 * connection itself failed, for example during a TLS handshake, no response is possible.
 */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
): void {
  const code = error.code ?? '';
  if (!HTTP_ERROR.test(code) || !socket.writable) socket.destroy();
  else refuse(socket, NODE_ERRORS[code] ?? BAD_REQUEST, requestId);
}

/** Node does not pass CONNECT on as a request, and would close the connection without a response. */
export function answerConnect(socket: Socket, requestId: string): void {
  refuse(socket, new ApiError(generalErrors.noRoute), requestId);
}

/** The error for a request that Node would refuse itself, without a body; undefined for a valid one. */
export function protocolError({ headers, httpVersion }: IncomingMessage): ApiError | undefined {
  if (headers.host === undefined && httpVersion === '1.1') {
    return new ApiError(generalErrors.badRequest, { message: 'The header Host is missing.' });
  }
  if (headers.expect !== undefined && !/(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect)) {
    return new ApiError(generalErrors.expectationFailed);
  }
  return undefined;
}

function refuse(socket: Socket, refusal: ApiError, requestId: string): void {
  endAfterResponses(socket, () => writeRefusal(socket, refusal, requestId));
}

/** Writes a response without Fastify, which has not seen the request, and ends the connection. */
function writeRefusal(socket: Socket, refusal: ApiError, requestId: string): void {
  const { status } = refusal.definition;
  const body = JSON.stringify(refusal.toBody());
  const headers = new ResponseHeaders(requestId, isEncrypted(socket));
  headers.add('content-type', 'application/json; charset=utf-8');
  headers.add('content-length', String(Buffer.byteLength(body)));
  headers.add('connection', 'close');
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let i = 0; i < headers.flat.length; i += 2) {
    lines.push(`${headers.flat[i]}: ${headers.flat[i + 1]}`);
  }
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

function isEncrypted(socket: Socket): boolean {
  // Only TLS sockets have the property.
  return (socket as Partial<TLSSocket>).encrypted === true;
}
