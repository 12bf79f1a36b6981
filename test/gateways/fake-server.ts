import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientClosesIdle } from '../support/client-closes-idle.ts';

/** How a fake payment service misbehaves for one request. */
export type Behaviour =
  /** Behaves well: for an error that comes after the first of several requests. */
  | 'pass'
  /** Refuses the request as the real service would. */
  | 'decline'
  | 'server-error'
  /** An error that a service which stores its answers by key repeats for that key; otherwise a server error. */
  | 'stored-error'
  | 'too-many-requests'
  /** 409: the same request is in progress. */
  | 'conflict'
  /** Never answers. */
  | 'hang'
  /** Closes the connection before it processes the request. */
  | 'reset-before'
  /** Processes the request and closes the connection without an answer. */
  | 'reset-after'
  /** Closes the connection and processes the request later, when `deliverLate` is called. */
  | 'late'
  /** Processes the request and answers something other than JSON. */
  | 'malformed'
  /** Processes the request and answers with JSON of another shape. */
  | 'strange'
  | 'redirect'
  /** Processes the request and sends a body above the limit. */
  | 'huge'
  /** Answers as if the credentials had expired. */
  | 'unauthorized'
  /** 403: the credentials are valid but lack the permission. */
  | 'forbidden'
  /** Refuses because the store's balance is empty, for services that have one. */
  | 'empty-balance';

/** The kind of a request; `begin` signs in or creates a quote. */
export type Step = 'begin' | 'pay' | 'ask';

/** When a request is interrupted: before it is processed, after that, or after the answer. */
export type Moment = 'arrived' | 'recorded' | 'answered';

interface Interruption {
  moment: Moment;
  step: Step;
  action: () => unknown;
}

/** A payment that was made or promised: one for each time that money would move. */
export interface FakePayment {
  id: string;
  /** In the units of the service. */
  amount: number | string;
  currency: string;
  destination: string;
  /** The idempotency key under the service's own name for it. */
  key: string;
}

export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface FakeAnswer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

interface Service {
  stepOf(request: FakeRequest): Step;
  /** The answer that is already stored for the key of the request; otherwise stores this one and returns it. */
  keep?(request: FakeRequest, answer: FakeAnswer): FakeAnswer;
  /** Processes a request, records payments and returns the regular answer. */
  answer(request: FakeRequest): FakeAnswer;
  declined: FakeAnswer;
  unauthorized: FakeAnswer;
  forbidden: FakeAnswer;
  /** Payments are refused while the balance is empty. */
  empty(isEmpty: boolean): void;
}

/** A service on a free loopback port that can be made to misbehave. */
export interface FakeServer {
  readonly url: string;
  /** All requests so far, such as `POST /v1/transfers`. */
  readonly requests: string[];
  /** Sets how the next requests of that kind are handled, one behaviour per request. */
  next(behaviour: Behaviour, step?: Step): void;
  /** Calls back at that moment of the next request of that kind. A request that has only arrived is lost. */
  interrupt(moment: Moment, action: () => unknown, step?: Step): void;
  /** Processes the requests that were delayed. */
  deliverLate(): void;
  /** While it is unreachable, connections are closed immediately. */
  goAway(away: boolean): void;
  /** Sets whether the store's balance is empty. */
  empty(isEmpty: boolean): void;
  /** Ends all misbehaviour and processes delayed requests. */
  behave(): void;
  close(): Promise<void>;
}

export async function openFakeServer(service: Service): Promise<FakeServer> {
  const waiting: { behaviour: Behaviour; step: Step }[] = [];
  const interruptions: Interruption[] = [];
  const requests: string[] = [];
  let late: FakeRequest[] = [];
  let isAway = false;
  const deliverLate = () => {
    for (const request of late) service.answer(request);
    late = [];
  };
  const serve = async (message: IncomingMessage, response: ServerResponse) => {
    if (isAway) return void message.socket.destroy();
    const request = await readRequest(message);
    requests.push(`${request.method} ${request.path}`);
    const step = service.stepOf(request);
    const index = waiting.findIndex((told) => told.step === step);
    const behaviour = index < 0 ? undefined : waiting.splice(index, 1)[0]!.behaviour;
    const at = interruptions.findIndex((told) => told.step === step);
    const interruption = at < 0 ? undefined : interruptions.splice(at, 1)[0]!;
    if (interruption) return interrupted(interruption, service, request, response);
    if (behaviour === 'late') late.push(request);
    misbehave(behaviour, service, request, response);
  };
  const server = createServer(
    clientClosesIdle,
    (message, response) => void serve(message, response),
  );
  server.unref();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    next: (behaviour, step = 'pay') => void waiting.push({ behaviour, step }),
    interrupt: (moment, action, step = 'pay') => void interruptions.push({ moment, action, step }),
    deliverLate,
    goAway(away) {
      isAway = away;
      if (away) server.closeAllConnections();
    },
    empty: (isEmpty) => service.empty(isEmpty),
    behave() {
      service.empty(false);
      waiting.length = 0;
      interruptions.length = 0;
      deliverLate();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(message: IncomingMessage): Promise<FakeRequest> {
  let body = '';
  for await (const chunk of message.setEncoding('utf8')) body += chunk;
  const { pathname, searchParams } = new URL(message.url ?? '/', 'http://fake');
  const { method = 'GET', headers } = message;
  return { method, path: pathname, query: searchParams, headers, body };
}

async function interrupted(
  { moment, action }: Interruption,
  service: Service,
  request: FakeRequest,
  response: ServerResponse,
): Promise<void> {
  if (moment === 'arrived') {
    await action();
    response.socket?.destroy();
    return;
  }
  const answer = service.answer(request);
  if (moment === 'recorded') await action();
  else response.once('finish', action);
  send(response, answer);
}

const serverError: FakeAnswer = {
  status: 500,
  body: { error: { type: 'api_error' }, name: 'INTERNAL' },
};

function misbehave(
  behaviour: Behaviour | undefined,
  service: Service,
  request: FakeRequest,
  response: ServerResponse,
): void {
  switch (behaviour) {
    case 'hang':
      return;
    case 'late':
    case 'reset-before':
      response.socket?.resetAndDestroy();
      return;
    case 'redirect':
      response.writeHead(307, { location: `/elsewhere${request.path}` }).end('{}');
      return;
    case 'decline':
      send(response, service.keep?.(request, service.declined) ?? service.declined);
      return;
    case 'server-error':
      send(response, serverError);
      return;
    case 'stored-error':
      send(response, service.keep?.(request, serverError) ?? serverError);
      return;
    case 'too-many-requests':
      send(response, { status: 429, body: { error: { code: 'rate_limit' }, name: 'RATE_LIMIT' } });
      return;
    case 'conflict':
      send(response, { status: 409, body: { error: { type: 'idempotency_error' }, name: 'BUSY' } });
      return;
    case 'unauthorized':
      send(response, service.unauthorized);
      return;
    case 'forbidden':
      send(response, service.forbidden);
      return;
    case 'empty-balance':
      service.empty(true);
      send(response, service.answer(request));
      service.empty(false);
      return;
    default:
      misbehaveAfter(behaviour, service.answer(request), response);
  }
}

/** The errors of a service that has done what the request asks for. */
function misbehaveAfter(
  behaviour: Behaviour | undefined,
  answer: FakeAnswer,
  response: ServerResponse,
): void {
  switch (behaviour) {
    case 'reset-after':
      response.socket?.resetAndDestroy();
      return;
    case 'malformed':
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end('{"id": "tr_');
      return;
    case 'strange':
      send(response, { status: answer.status, body: { hello: ['world'] } });
      return;
    case 'huge':
      send(response, { ...answer, body: { ...answer.body, padding: 'x'.repeat(100_000) } });
      return;
    default:
      send(response, answer);
  }
}

function send(response: ServerResponse, { status, body, headers }: FakeAnswer): void {
  const all = { ...headers, 'content-type': 'application/json' };
  response.writeHead(status, all).end(JSON.stringify(body));
}
