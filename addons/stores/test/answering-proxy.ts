import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { clientClosesIdle } from '../../../test/support/client-closes-idle.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Stands before the API of a fake store, notes what is called, and can answer a route in its place. */
export class AnsweringProxy {
  /** The routes that were called, such as `GET /orders/:id.json`. */
  readonly routes = new Set<string>();
  url = '';
  readonly #target: string;
  #instead: { readonly route: string; readonly answer: Answer } | undefined;

  private constructor(target: string) {
    this.#target = target;
  }

  static async open(target: string, close: (end: () => Promise<void>) => void) {
    const proxy = new AnsweringProxy(target);
    const server = createServer(clientClosesIdle, (message, response) => {
      void proxy.#serve(message, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    close(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return proxy;
  }

  /** Answers every call of a route like that, until it is called without. */
  answer(route?: string, answer?: Answer): void {
    this.#instead = route === undefined ? undefined : { route, answer: answer! };
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers, url = '/' } = message;
    const sent = await buffer(message);
    const route = routeOf(method, new URL(url, this.#target)) + operationIn(sent.toString());
    this.routes.add(route);
    if (this.#instead?.route === route) {
      const { status, body } = this.#instead.answer;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
      return;
    }
    const passed = request(this.#target + url, { method, headers });
    passed.end(sent);
    // The cast is safe: it is the event of an answer.
    const [answered] = (await once(passed, 'response')) as [IncomingMessage];
    response.writeHead(answered.statusCode!, answered.headers);
    answered.pipe(response);
  }
}

/** With what tells lists of one path apart, and without ids. */
function routeOf(method: string, { pathname, searchParams }: URL): string {
  const path = pathname.replaceAll(/\/(?:\d+|[a-z]+_[\w]*\d\w*)(?=[/.]|$)/g, '/:id');
  const filters = ['include', 'payment_intent', 'subscription', 'payment[payment_intent]'].filter(
    (name) => searchParams.has(name),
  );
  return `${method} ${path}${filters.length === 0 ? '' : `?${filters.join('&')}`}`;
}

/** All calls of a GraphQL API have one path. */
function operationIn(body: string): string {
  const [, name] = /^\{"query":"(?:query|mutation) (\w+)/.exec(body) ?? [];
  return name === undefined ? '' : ` ${name}`;
}
