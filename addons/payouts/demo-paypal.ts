import type { LoopbackReply, LoopbackRequest } from '../../src/shared/loopback-server.ts';

/** PayPal never reports whether a payment to this address was made. */
export const STALLED_PAYEE = 'stalled@paypal.demo.example';
/** PayPal has no account with this address: it accepts the payment, which fails later. */
export const UNKNOWN_PAYEE = 'no-account@paypal.demo.example';

const PAYOUTS = '/v1/payments/payouts';

interface NewBatch {
  readonly sender_batch_header: { readonly sender_batch_id: string };
  readonly items: readonly { readonly receiver: string }[];
}

/** The part of PayPal Payouts that the service uses. It moves no money. */
export class DemoPayPal {
  /** Receivers of the accepted batches, by the id of the batch. */
  readonly #receivers = new Map<string, string>();

  reply({ method, path, body }: LoopbackRequest): LoopbackReply {
    if (path === '/v1/oauth2/token') {
      return {
        status: 200,
        body: { access_token: 'demo', token_type: 'Bearer', expires_in: 32_400 },
      };
    }
    if (method === 'POST' && path === PAYOUTS) return this.#pay(JSON.parse(body) as NewBatch);
    if (path.startsWith(`${PAYOUTS}/`)) return this.#show(path.slice(PAYOUTS.length + 1));
    return { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } };
  }

  #pay({ sender_batch_header, items }: NewBatch): LoopbackReply {
    const { receiver } = items[0]!;
    if (receiver === STALLED_PAYEE) return { status: 503, body: { name: 'SERVICE_UNAVAILABLE' } };
    const id = `DEMO-${sender_batch_header.sender_batch_id}`;
    this.#receivers.set(id, receiver);
    return {
      status: 201,
      body: { batch_header: { payout_batch_id: id, batch_status: 'PENDING' } },
    };
  }

  #show(id: string): LoopbackReply {
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
