import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a fake payment service does wrong with one request. */
export type Behaviour =
  /** Does what it is asked and answers it: for a fault that comes after the first of several requests. */
  | 'pass'
  /** Refuses what it is asked, as the service itself would. */
  | 'decline'
  | 'server-error'
  | 'too-many-requests'
  /** 409: the same request is being worked on. */
  | 'conflict'
  /** Never answers. */
  | 'hang'
  /** Breaks the connection before it has done anything. */
  | 'reset-before'
  /** Does what it is asked and breaks the connection: the lost answer. */
  | 'reset-after'
  /** Breaks the connection and does what it is asked much later, when `deliverLate` is called. */
  | 'late'
  /** Does what it is asked and answers no JSON. */
  | 'malformed'
  /** Does what it is asked and answers with JSON of another kind. */
  | 'strange'
  | 'redirect'
  /** Does what it is asked and answers more than anybody should read. */
  | 'huge'
  /** As if the credentials had ended. */
  | 'unauthorized'
  /** 403: the credentials are right and may not do this. */
  | 'forbidden'
  /** Refuses because the store's balance is empty, where the service pays from one. */
  | 'empty-balance';

/** Which kind of request it is; `begin` is signing in or asking for a quote. */
export type Step = 'begin' | 'pay' | 'ask';

/** When a request is interrupted: nothing is done yet; it is done; it is answered. */
export type Moment = 'arrived' | 'recorded' | 'answered';

interface Interruption {
  moment: Moment;
  step: Step;
  action: () => unknown;
}

/** What was truly paid, or promised: one for each time that money would move. */
export interface FakePayment {
  id: string;
  /** As the service was told, in its own units. */
  amount: number | string;
  currency: string;
  destination: string;
  /** The idempotency key as the service calls it. */
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
}

interface Service {
  stepOf(request: FakeRequest): Step;
  /** What the service answers when all is well; this is where payments are recorded. */
  answer(request: FakeRequest): FakeAnswer;
  declined: FakeAnswer;
  unauthorized: FakeAnswer;
  forbidden: FakeAnswer;
  /** Payments are refused while the balance is empty. */
  empty(isEmpty: boolean): void;
}

/** A service on a free loopback port that can be told to misbehave. */
export interface FakeServer {
  readonly url: string;
  /** Every request so far, `POST /v1/transfers`. */
  readonly requests: string[];
  /** What is done with the next request of that kind; several are done one after the other. */
  next(behaviour: Behaviour, step?: Step): void;
  /** Calls back at that moment of the next request of that kind; one that has only arrived is lost. */
  interrupt(moment: Moment, action: () => unknown, step?: Step): void;
  /** Does what arrived and was not done yet. */
  deliverLate(): void;
  /** While it is away, connections are broken at once. */
  goAway(away: boolean): void;
  /** Whether the store's balance is empty. */
  empty(isEmpty: boolean): void;
  /** Forgets what it was told to do wrong; what is late arrives. */
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
  const server = createServer((message, response) => void serve(message, response));
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
      send(response, service.declined);
      return;
    case 'server-error':
      send(response, { status: 500, body: { error: { type: 'api_error' }, name: 'INTERNAL' } });
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

/** The faults of a service that has done what the request asks for. */
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

function send(response: ServerResponse, { status, body }: FakeAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
