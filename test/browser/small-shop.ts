import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { after } from 'node:test';

interface ShopOptions {
  /** The URL of Tributary. */
  tributary: string;
  /** Sends an order to Tributary, with the fields that its page got from the script. */
  sendOrder(fields: object): Promise<string>;
}

/**
 * A shop on a host of its own: `localhost`, while Tributary is `127.0.0.1`. Its pages include the script: from
 * Tributary, below `/own/` through a path of the shop, below `/asks/` with consent, below `/twice/` twice.
 */
export async function openSmallShop({ tributary, sendOrder }: ShopOptions) {
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    if (path.startsWith('/partners/')) return pass(request, response);
    if (request.method === 'POST') {
      response.end(await sendOrder(JSON.parse(await text(request)) as object));
      return;
    }
    response.setHeader('content-type', 'text/html').end(pageAt(path));
  }

  function pageAt(path: string): string {
    const source = path.startsWith('/own/') ? '/partners/t.js' : `${tributary}/t.js`;
    const consent = path.startsWith('/asks/') ? ' data-consent="wait"' : '';
    const script = `<script src="${source}"${consent}></script>`;
    return `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
      ${script}${path.startsWith('/twice/') ? script : ''}
      <h1>Shop</h1><button>Pay</button><output></output>
      <script>
        document.querySelector('button').onclick = async () => {
          const body = JSON.stringify(tributary.order());
          const response = await fetch('/orders', { method: 'POST', body });
          document.querySelector('output').textContent = await response.text();
        };
      </script>`;
  }

  /** What a proxy of the shop does with `/partners/`. */
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const kept = ['content-type', 'user-agent', 'sec-fetch-site'] as const;
    const answer = await fetch(tributary + request.url!.slice('/partners'.length), {
      method,
      headers: Object.fromEntries(kept.map((name) => [name, String(headers[name] ?? '')])),
      ...(method === 'POST' && { body: await buffer(request) }),
    });
    const cookies = answer.headers.getSetCookie();
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type')!,
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    });
    response.end(await answer.text());
  }

  // A server that listens on a port has an `AddressInfo`.
  return { url: `http://localhost:${(server.address() as AddressInfo).port}` };
}
