import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { clientClosesIdle } from '../../../test/support/client-closes-idle.ts';

export interface ShopletOrder {
  id: number;
  placed: string;
  changed: string;
  state: 'open' | 'paid' | 'cancelled';
  amount: number;
  currency?: string;
  code?: string;
  refunds: { id: number; amount: number }[];
}

const PER_PAGE = 5;
export const TOKEN = 'abcdefgh12345678';

/** A stateful imitation of the imaginary store of examples/store-connector. */
export class ShopletServer {
  readonly orders = new Map<number, ShopletOrder>();
  readonly hooks: { id: number; url: string; secret: string; active: boolean }[] = [];
  readonly codes = new Map<string, { active: boolean; discount: unknown }>();
  /** Requests as `GET /api/orders?page=1`. */
  readonly requests: string[] = [];
  /** Answers the next requests with a status and headers instead. */
  readonly errors: { status: number; headers?: Record<string, string> }[] = [];
  isDown = false;
  token = TOKEN;
  #server!: Server;

  async listen(): Promise<this> {
    this.#server = createServer(clientClosesIdle, (request, response) => {
      void this.#serve(request, response);
    }).listen(0, '127.0.0.1');
    after(() => {
      this.#server.close();
      this.#server.closeAllConnections();
    });
    await new Promise((resolve) => this.#server.once('listening', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  put(id: number, changedMs: number, fields: Partial<ShopletOrder> = {}): ShopletOrder {
    const order: ShopletOrder = {
      placed: new Date(changedMs).toISOString(),
      state: 'paid',
      amount: 100,
      code: 'MAYA10',
      refunds: [],
      ...this.orders.get(id),
      ...fields,
      id,
      changed: new Date(changedMs).toISOString(),
    };
    this.orders.set(id, order);
    return order;
  }

  /** The body and headers of a webhook of the store. */
  delivery(event: string, id: number): { text: string; headers: Record<string, string> } {
    const order = event === 'order' ? this.orders.get(id) : undefined;
    const text = JSON.stringify({ event, order_id: id, ...(order && { order }) });
    const signature = createHmac('sha256', this.hooks[0]!.secret).update(text).digest('hex');
    const headers = {
      'x-shoplet-signature': signature,
      'x-shoplet-topic': event,
      'x-shoplet-order': String(id),
    };
    return { text, headers };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers = {}, json } = await this.#answer(request);
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(json === undefined ? '' : JSON.stringify(json));
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; headers?: Record<string, string>; json?: unknown }> {
    const url = new URL(request.url!, 'http://shop');
    const line = `${request.method} ${url.pathname}${url.search}`;
    const body = await bodyOf(request);
    this.requests.push(line);
    if (this.isDown) return { status: 0 };
    const error = this.errors.shift();
    if (error) return { ...error, json: {} };
    if (request.headers.authorization !== `Bearer ${this.token}`) return { status: 401, json: {} };
    const [, , part, id] = url.pathname.split('/');
    if (part === 'orders') return this.#orders(url, id);
    if (part === 'hooks') return this.#hooks(request.method!, Number(id), body);
    return this.#codes(request.method!, decodeURIComponent(id ?? ''), body);
  }

  #orders(url: URL, id: string | undefined) {
    if (id !== undefined) {
      const order = this.orders.get(Number(id));
      return order ? { status: 200, json: order } : { status: 404, json: {} };
    }
    const since = url.searchParams.get('since')!;
    const changed = [...this.orders.values()]
      .filter((order) => order.changed >= since)
      .sort((a, b) => (a.changed < b.changed ? -1 : 1));
    const page = Number(url.searchParams.get('page'));
    const orders = changed.slice((page - 1) * PER_PAGE, page * PER_PAGE);
    const next = changed.length > page * PER_PAGE ? String(page + 1) : null;
    return { status: 200, json: { orders, next, total: changed.length } };
  }

  #hooks(method: string, id: number, body: any) {
    if (method === 'POST') {
      this.hooks.push({ id: this.hooks.length + 1, active: true, ...body });
    } else if (method === 'PUT') {
      this.hooks.find((hook) => hook.id === id)!.active = body.active;
    } else if (method === 'DELETE') {
      this.hooks.splice(0);
    }
    return { status: 200, json: this.hooks };
  }

  #codes(method: string, code: string, body: any) {
    if (method === 'POST') {
      const { code: created, ...discount } = body;
      this.codes.set(created, { active: true, discount });
    } else {
      this.codes.get(code)!.active = body.active;
    }
    return { status: 200, json: {} };
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}
