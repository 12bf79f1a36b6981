import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { TransportError, toTransportError } from './transport-error.ts';

const RESPONSE_BYTES_MAX = 4_096;

export interface GuardedResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the body with `readsText`, otherwise empty. */
  readonly text: string;
  /** Whether the body was longer than what was read. */
  readonly isCut: boolean;
}

/**
 * One request and its response. Callers need the status; the beginning of the body is read, so that the
 * connection can be reused. An aborted exchange counts as one without a response, unless the status has arrived.
 */
export class GuardedExchange implements Dispatcher.DispatchHandler {
  readonly #settled = Promise.withResolvers<GuardedResponse>();
  #controller: Dispatcher.DispatchController | undefined;
  #response: GuardedResponse | undefined;
  #bytesRead = 0;
  readonly #chunks: Buffer[] | undefined;
  readonly #bytesMax: number;
  #isOver = false;

  constructor({ readsText = false, bytesMax = RESPONSE_BYTES_MAX } = {}) {
    if (readsText) this.#chunks = [];
    this.#bytesMax = bytesMax;
  }

  /** Throws a `TransportError` when no response arrives. */
  get response(): Promise<GuardedResponse> {
    return this.#settled.promise;
  }

  /** Aborts the exchange: its time is up. */
  end(): void {
    this.#finish(new TransportError('timeout'));
    this.#controller?.abort(new TransportError('timeout'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Aborted before it was connected: nothing is sent.
    if (this.#isOver) controller.abort(new TransportError('timeout'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    const retryAfter = headers['retry-after']?.toString();
    this.#response = { status, retryAfter, headers, text: '', isCut: false };
    if (Number(headers['content-length'] ?? 0) > this.#bytesMax) this.#cutOff(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytesRead += chunk.length;
    this.#chunks?.push(chunk);
    if (this.#bytesRead > this.#bytesMax) this.#cutOff(controller);
  }

  onResponseEnd(): void {
    this.#finish(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(error);
  }

  #cutOff(controller: Dispatcher.DispatchController): void {
    if (this.#response) this.#response = { ...this.#response, isCut: true };
    this.#finish(undefined);
    controller.abort(new Error('The rest of the answer does not matter'));
  }

  #finish(error: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#response) this.#settled.resolve(this.#withText(this.#response));
    else this.#settled.reject(toTransportError(error));
  }

  #withText(response: GuardedResponse): GuardedResponse {
    if (!this.#chunks) return response;
    return { ...response, text: Buffer.concat(this.#chunks).toString() };
  }
}
