import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer } from './node-http.ts';

export interface LoopbackRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface LoopbackReply {
  readonly status: number;
  readonly body?: object;
}

export interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

/** An HTTP server in place of an external service. Only processes on this machine can reach it. */
export async function openLoopbackServer(
  reply: (request: LoopbackRequest) => LoopbackReply,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => void respond(request, response, reply));
  // Only the client closes idle connections: in a busy process the server would close one that the client is using.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens on a port has an `AddressInfo`.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  reply: (request: LoopbackRequest) => LoopbackReply,
): Promise<void> {
  try {
    const { method = '', url: path = '' } = request;
    const { status, body } = reply({ method, path, body: await text(request) });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body && JSON.stringify(body));
  } catch {
    // The request was aborted, or its body is not the expected JSON.
    response.destroy();
  }
}
