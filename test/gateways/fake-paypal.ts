import {
  openFakeServer,
  type FakeAnswer,
  type FakePayment,
  type FakeServer,
} from './fake-server.ts';

export interface FakePayPal extends FakeServer {
  readonly clientId: string;
  readonly secret: string;
  /** The accepted batches, each of which pays once. */
  readonly payments: FakePayment[];
  /** Sets the status of a batch, which is PENDING before. */
  settle(batchId: string, item: string, batch?: string, error?: string): void;
  /** Forgets batch ids, as PayPal does after a month. */
  forgetBatchIds(): void;
  /** Revokes every token, as PayPal may at any time. */
  endTokens(): void;
}

interface Batch {
  id: string;
  batchStatus: string;
  itemStatus: string;
  senderBatchId: string;
  /** Why the item failed. */
  error: string;
}

interface NewBatch {
  sender_batch_header: { sender_batch_id: string };
  items: { receiver: string; amount: { value: string; currency: string } }[];
}

/** A fake of PayPal Payouts with tokens and with batch ids that are accepted once. */
export async function openFakePayPal(): Promise<FakePayPal> {
  const [clientId, secret] = ['fakePayPalClientId', 'fakePayPalSecret0123456789'];
  const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
  const payments: FakePayment[] = [];
  const batches = new Map<string, Batch>();
  const tokens = new Set<string>();
  const stored = new Map<string, FakeAnswer>();
  let tokensMade = 0;
  let isEmpty = false;
  const unauthorized: FakeAnswer = {
    status: 401,
    body: {
      name: 'AUTHENTICATION_FAILURE',
      message:
        'Authentication failed due to invalid authentication credentials or a missing Authorization header.',
      debug_id: 'f5c71c2fa14c6',
    },
  };

  function signIn(authorization: string | undefined): FakeAnswer {
    if (authorization !== basic) {
      const error_description = 'Client Authentication failed';
      return { status: 401, body: { error: 'invalid_client', error_description } };
    }
    const token = `A21.fakeToken${++tokensMade}`;
    tokens.add(token);
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 900 } };
  }

  /** A request with a PayPal-Request-Id that was used before is answered like the earlier one, whatever that was. */
  function once(id: string | string[] | undefined, execute: () => FakeAnswer): FakeAnswer {
    if (typeof id !== 'string') return execute();
    const answer = stored.get(id) ?? execute();
    stored.set(id, answer);
    return answer;
  }

  function create(batch: NewBatch): FakeAnswer {
    const { sender_batch_id } = batch.sender_batch_header;
    const earlier = [...batches.values()].find((made) => made.senderBatchId === sender_batch_id);
    if (earlier) return duplicateOf(earlier);
    const { receiver, amount } = batch.items[0]!;
    if (!/^\d+(\.\d+)?$/.test(amount.value) || receiver.includes('unknown')) {
      const details = [{ field: 'items[0].receiver', issue: `Receiver ${receiver} is invalid` }];
      return { status: 400, body: { name: 'VALIDATION_ERROR', details } };
    }
    if (isEmpty) {
      const message = `Sender ${clientId} does not have sufficient funds.`;
      return { status: 422, body: { name: 'INSUFFICIENT_FUNDS', message, debug_id: '9b0ffd0a4' } };
    }
    const id = `FAKEBATCH${batches.size + 1}`;
    const made: Batch = {
      id,
      batchStatus: 'PENDING',
      itemStatus: '',
      senderBatchId: sender_batch_id,
      error: '',
    };
    batches.set(id, made);
    payments.push({
      id,
      amount: amount.value,
      currency: amount.currency,
      destination: receiver,
      key: sender_batch_id,
    });
    return { status: 201, body: { batch_header: headerOf(made) } };
  }

  const server = await openFakeServer({
    stepOf: ({ method, path }) =>
      path === '/v1/oauth2/token' ? 'begin' : method === 'POST' ? 'pay' : 'ask',
    declined: {
      status: 400,
      body: {
        name: 'VALIDATION_ERROR',
        message: 'Invalid request - see details.',
        details: [{ field: 'items[0].receiver', issue: 'Receiver is invalid or does not match' }],
      },
    },
    unauthorized,
    forbidden: {
      status: 403,
      body: {
        name: 'NOT_AUTHORIZED',
        message: `Authorization failed due to insufficient permissions of ${clientId}.`,
        debug_id: '4ac9d83a4e1',
      },
    },
    empty: (empty) => void (isEmpty = empty),
    answer({ method, path, headers, body }) {
      if (path === '/v1/oauth2/token') return signIn(headers.authorization);
      if (!tokens.has((headers.authorization ?? '').replace('Bearer ', ''))) return unauthorized;
      if (method === 'POST' && path === '/v1/payments/payouts') {
        return once(headers['paypal-request-id'], () => create(JSON.parse(body)));
      }
      const batch = batches.get(path.replace('/v1/payments/payouts/', ''));
      return batch ? shown(batch) : { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } };
    },
  });
  return {
    ...server,
    clientId,
    secret,
    payments,
    forgetBatchIds() {
      stored.clear();
      for (const batch of batches.values()) batch.senderBatchId = '';
    },
    endTokens: () => tokens.clear(),
    settle(batchId, item, batch = 'SUCCESS', error = 'RECEIVER_UNREGISTERED') {
      Object.assign(batches.get(batchId)!, { itemStatus: item, batchStatus: batch, error });
    },
  };
}

const headerOf = ({ id, batchStatus, senderBatchId }: Batch) => ({
  payout_batch_id: id,
  batch_status: batchStatus,
  sender_batch_header: { sender_batch_id: senderBatchId },
});

function shown(batch: Batch): FakeAnswer {
  const errors = ['SUCCESS', 'PENDING', ''].includes(batch.itemStatus)
    ? {}
    : { errors: { name: batch.error, message: 'someone@test.example is unknown' } };
  const item = { transaction_status: batch.itemStatus || 'PENDING', ...errors };
  return { status: 200, body: { batch_header: headerOf(batch), items: [item] } };
}

/** PayPal's own format. The link has the real address, which the client must not follow. */
function duplicateOf(batch: Batch): FakeAnswer {
  const href = `https://api-m.paypal.com/v1/payments/payouts/${batch.id}`;
  const detail = {
    field: 'SENDER_BATCH_ID',
    location: 'body',
    issue: 'Batch with given sender_batch_id already exists',
    link: [{ href, rel: 'self', method: 'GET' }],
  };
  return {
    status: 400,
    body: { name: 'USER_BUSINESS_ERROR', details: [detail], links: [] },
  };
}
