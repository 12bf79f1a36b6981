import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { clientClosesIdle } from '../../../test/support/client-closes-idle.ts';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ApiAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: object;
}

/** How the next request of a fake API fails. */
export type FieldError = 'busy' | 'down' | 'reset' | 'garbage';

/** The API of a fake store on a free loopback port. */
export interface FakeApi {
  readonly url: string;
  /** All requests so far, such as `GET /v1/events`. */
  readonly requests: string[];
  /** Makes the next requests fail, one after the other. */
  fail(...errors: FieldError[]): void;
  /** Ends all errors. */
  recover(): void;
  close(): Promise<void>;
}

export async function openFakeApi(answer: (request: ApiRequest) => ApiAnswer): Promise<FakeApi> {
  const errors: FieldError[] = [];
  const requests: string[] = [];
  const serve = async (message: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(message.url ?? '/', 'http://fake');
    const { method = 'GET', headers } = message;
    const body = await text(message);
    requests.push(`${method} ${pathname}`);
    const error = errors.shift();
    if (error) return misbehave(error, response);
    const {
      status = 200,
      headers: more,
      body: json,
    } = answer({ method, path: pathname, query: searchParams, headers, body });
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(JSON.stringify(json));
  };
  const server = createServer(
    clientClosesIdle,
    (message, response) => void serve(message, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    fail: (...more) => void errors.push(...more),
    recover: () => void errors.splice(0),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function misbehave(error: FieldError, response: ServerResponse): void {
  switch (error) {
    case 'busy':
      // Shopify writes fractions of a second.
      response.writeHead(429, { 'retry-after': '2.0' }).end('{"errors":"Too many requests"}');
      return;
    case 'down':
      response.writeHead(503).end('<html>Service unavailable</html>');
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'garbage':
      response.writeHead(200).end('<html>Maintenance</html>');
  }
}
