import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Flags } from '../../cli/with-site.ts';

/** The servers that a store talks to, made up: PayPal, and two receivers of webhooks. */
export interface DemoPartners {
  /** Leads payments to them alone, and mails nowhere: never to a real service, whatever the environment says. */
  readonly config: Flags;
  readonly brokenReceiver: string;
  readonly healthyReceiver: string;
  close(): Promise<void>;
}

/** To this address PayPal gives no answer that says whether it has paid. */
export const STALLED_PAYEE = 'stalled@paypal.demo.example';
/** This address PayPal does not know: it accepts the payment, which fails later. */
export const UNKNOWN_PAYEE = 'no-account@paypal.demo.example';

const PAYOUTS = '/v1/payments/payouts';
const BROKEN = '/broken-receiver';
const HEALTHY = '/healthy-receiver';

interface Reply {
  readonly status: number;
  readonly body?: object;
}

/** On this machine alone. It moves no money and reaches nothing outside. */
export async function openDemoPartners(): Promise<DemoPartners> {
  const paypal = new DemoPayPal();
  const server = createServer((request, response) => void answer(request, response, paypal));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    config: {
      stripeKey: '',
      smtpUrl: '',
      wiseToken: '',
      paypalUrl: url,
      paypalClientId: 'demo',
      paypalSecret: 'demo',
    },
    brokenReceiver: url + BROKEN,
    healthyReceiver: url + HEALTHY,
    close: () => closed(server),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  paypal: DemoPayPal,
): Promise<void> {
  try {
    const { status, body } = await replyTo(request, paypal);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body && JSON.stringify(body));
  } catch {
    // A request that was broken off, or that is no JSON.
    response.destroy();
  }
}

async function replyTo(request: IncomingMessage, paypal: DemoPayPal): Promise<Reply> {
  const body = await text(request);
  const path = request.url ?? '';
  if (path === BROKEN) return { status: 500 };
  if (path === HEALTHY) return { status: 204 };
  if (path === '/v1/oauth2/token') {
    return {
      status: 200,
      body: { access_token: 'demo', token_type: 'Bearer', expires_in: 32_400 },
    };
  }
  if (request.method === 'POST' && path === PAYOUTS)
    return paypal.pay(JSON.parse(body) as NewBatch);
  if (path.startsWith(`${PAYOUTS}/`)) return paypal.show(path.slice(PAYOUTS.length + 1));
  return { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } };
}

interface NewBatch {
  readonly sender_batch_header: { readonly sender_batch_id: string };
  readonly items: readonly { readonly receiver: string }[];
}

/** As much of PayPal Payouts as the service uses. */
class DemoPayPal {
  /** The receivers of the batches that were accepted, by the id of the batch. */
  readonly #receivers = new Map<string, string>();

  pay({ sender_batch_header, items }: NewBatch): Reply {
    const { receiver } = items[0]!;
    if (receiver === STALLED_PAYEE) return { status: 503, body: { name: 'SERVICE_UNAVAILABLE' } };
    const id = `DEMO-${sender_batch_header.sender_batch_id}`;
    this.#receivers.set(id, receiver);
    return {
      status: 201,
      body: { batch_header: { payout_batch_id: id, batch_status: 'PENDING' } },
    };
  }

  show(id: string): Reply {
    const receiver = this.#receivers.get(id);
    if (receiver === undefined) return { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } };
    const item =
      receiver === UNKNOWN_PAYEE
        ? { transaction_status: 'FAILED', errors: { name: 'RECEIVER_UNREGISTERED' } }
        : { transaction_status: 'SUCCESS' };
    const batch_header = { payout_batch_id: id, batch_status: 'SUCCESS' };
    return { status: 200, body: { batch_header, items: [item] } };
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
