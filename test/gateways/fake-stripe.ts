import {
  openFakeServer,
  type FakeAnswer,
  type FakePayment,
  type FakeRequest,
  type FakeServer,
} from './fake-server.ts';

export interface FakeStripe extends FakeServer {
  /** The accepted secret key. */
  readonly key: string;
  readonly payments: FakePayment[];
  /** Reverses a whole transfer. */
  reverse(id: string): void;
  /** Whether lists omit all transfers, as if they were out of date. */
  hide(hidden: boolean): void;
  /** Forgets idempotency keys but not transfers, as Stripe does after a day. */
  forgetKeys(): void;
}

interface Transfer {
  object: 'transfer';
  id: string;
  amount: number;
  currency: string;
  destination: string;
  transfer_group: string;
  reversed: boolean;
}

const refusal = (status: number, error: object): FakeAnswer => ({ status, body: { error } });

/** A fake of Stripe's transfers and idempotency keys. */
export async function openFakeStripe(): Promise<FakeStripe> {
  const key = 'sk_test_fakeStripeKey0123456789';
  const payments: FakePayment[] = [];
  const transfers = new Map<string, Transfer>();
  const usedKeys = new Map<string, { body: string; answer: FakeAnswer }>();
  let [hidden, isEmpty] = [false, false];
  const unauthorized = refusal(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${key}`,
  });

  /**
   * The first answer under a key is stored, a refusal and a server error too, and repeated for the same request. Answers
   * from before the execution are not stored: an invalid parameter, 401, 403, 409, 429.
   * https://docs.stripe.com/api/idempotent_requests
   */
  function once({ headers, body }: FakeRequest, execute: (key: string) => FakeAnswer): FakeAnswer {
    const idempotencyKey = String(headers['idempotency-key']);
    const used = usedKeys.get(idempotencyKey);
    if (!used) {
      const answer = execute(idempotencyKey);
      usedKeys.set(idempotencyKey, { body, answer });
      return answer;
    }
    if (used.body !== body) return refusal(400, { type: 'idempotency_error' });
    return { ...used.answer, headers: { 'idempotent-replayed': 'true' } };
  }

  function create(request: FakeRequest): FakeAnswer {
    const form = new URLSearchParams(request.body);
    const isValid =
      /^[1-9]\d*$/.test(form.get('amount') ?? '') && /^[a-z]{3}$/.test(form.get('currency') ?? '');
    if (!isValid) {
      return refusal(400, { type: 'invalid_request_error', code: 'parameter_invalid' });
    }
    return once(request, (idempotencyKey) => transfer(form, idempotencyKey));
  }

  function transfer(form: URLSearchParams, idempotencyKey: string): FakeAnswer {
    const amount = Number(form.get('amount'));
    const [currency, destination] = [form.get('currency') ?? '', form.get('destination') ?? ''];
    if (destination.includes('Unknown')) {
      const message = `No such destination: '${destination}'`;
      return refusal(400, { type: 'invalid_request_error', code: 'resource_missing', message });
    }
    if (isEmpty) {
      const message = `You have insufficient available funds in the Stripe account of ${key}.`;
      return refusal(400, { type: 'invalid_request_error', code: 'balance_insufficient', message });
    }
    const made: Transfer = {
      object: 'transfer',
      id: `tr_${transfers.size + 1}`,
      amount,
      currency,
      destination,
      transfer_group: form.get('transfer_group') ?? '',
      reversed: false,
    };
    transfers.set(made.id, made);
    payments.push({ id: made.id, amount, currency, destination, key: idempotencyKey });
    return { status: 200, body: made };
  }

  function list(group: string | null): FakeAnswer {
    const all = hidden ? [] : [...transfers.values()];
    const data = all.filter((made) => made.transfer_group === group);
    return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/transfers' } };
  }

  const server = await openFakeServer({
    stepOf: ({ method }) => (method === 'POST' ? 'pay' : 'ask'),
    declined: refusal(400, {
      type: 'invalid_request_error',
      code: 'insufficient_capabilities_for_transfer',
      message: 'Your destination account needs to have the transfers capability enabled.',
    }),
    unauthorized,
    forbidden: refusal(403, {
      type: 'invalid_request_error',
      message: `The provided key '${key}' does not have the required permissions for this endpoint.`,
    }),
    empty: (empty) => void (isEmpty = empty),
    keep: (request, answer) => (request.method === 'POST' ? once(request, () => answer) : answer),
    answer(request) {
      if (request.headers.authorization !== `Bearer ${key}`) return unauthorized;
      if (request.path === '/v1/transfers') {
        return request.method === 'POST'
          ? create(request)
          : list(request.query.get('transfer_group'));
      }
      const known = transfers.get(request.path.replace('/v1/transfers/', ''));
      if (known) return { status: 200, body: known };
      return refusal(404, { type: 'invalid_request_error', code: 'resource_missing' });
    },
  });
  return {
    ...server,
    key,
    payments,
    reverse: (id) => void (transfers.get(id)!.reversed = true),
    hide: (hide) => void (hidden = hide),
    forgetKeys: () => usedKeys.clear(),
  };
}
