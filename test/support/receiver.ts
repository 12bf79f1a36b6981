import http, {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after } from 'node:test';
import { clientClosesIdle } from './client-closes-idle.ts';

export interface Received {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Parsed; empty without a body. */
  message: { type: string; timestamp: string; id: number; data: Record<string, unknown> };
}

export type Answering = (
  request: IncomingMessage,
  response: ServerResponse,
  received: Received,
) => unknown;

/** A receiver on a free loopback port that records its requests; closed after the tests. */
export class Receiver {
  readonly received: Received[] = [];
  /** Number of connections so far. */
  connections = 0;
  /** The response; 200 by default. */
  answer: Answering | number = 200;
  readonly #server: http.Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = http.createServer(clientClosesIdle, (request, response) =>
      this.#take(request, response),
    );
    this.#server.on('connection', (socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  async listen(host = '127.0.0.1'): Promise<this> {
    after(() => this.close());
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, host, resolve);
    });
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** The ids of the received events, with duplicates. */
  get ids(): number[] {
    return this.received.map(({ message }) => message.id);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      const message = JSON.parse(body === '' ? '{}' : body);
      const received = { method, path, headers, body, message };
      this.received.push(received);
      if (typeof this.answer === 'function') return void this.answer(request, response, received);
      response.writeHead(this.answer).end();
    });
  }
}

/** Never answers. */
export const hang: Answering = () => {};
