import {
  openFakeServer,
  type FakeAnswer,
  type FakePayment,
  type FakeServer,
} from './fake-server.ts';

export interface FakeWise extends FakeServer {
  readonly token: string;
  readonly profile: string;
  /** The transfers. `settle` does what an administrator and Wise would do with them. */
  readonly payments: FakePayment[];
  /** Sets the status of a transfer, which waits for its money before. */
  settle(id: string, status: string): void;
  /** Whether the list omits all transfers, as if it were out of date. */
  hide(hidden: boolean): void;
  /** Adds this many unrelated transfers that are newer than ours. */
  crowd(transfers: number): void;
  /** Whether the list returns its first page for every offset. */
  repeatFirstPage(repeats: boolean): void;
}

interface Quote {
  id: string;
  targetAmount: number;
  targetCurrency: string;
}

interface Transfer {
  id: number;
  status: string;
  customerTransactionId: string;
}

interface NewTransfer {
  targetAccount: number;
  quoteUuid: string;
  customerTransactionId: string;
}

const FIRST_ID = 50_000_001;

const refusal = (status: number, code: string): FakeAnswer => ({
  status,
  body: { errors: [{ code, message: 'The recipient 4455667788 cannot be paid.' }] },
});

/** A fake of Wise's quotes and transfers. A repeated customerTransactionId returns the same transfer. */
export async function openFakeWise(): Promise<FakeWise> {
  const [token, profile] = ['fake-wise-token-0123456789', '7001'];
  const payments: FakePayment[] = [];
  const quotes = new Map<string, Quote>();
  const transfers = new Map<string, Transfer>();
  let [hidden, repeats, isEmpty] = [false, false, false];
  const unauthorized: FakeAnswer = {
    status: 401,
    body: { error: 'invalid_token', error_description: token },
  };

  function quote(wanted: Omit<Quote, 'id'>): FakeAnswer {
    if (!(wanted.targetAmount > 0)) return refusal(422, 'AMOUNT_INVALID');
    const made = { ...wanted, id: `quote-${quotes.size + 1}` };
    quotes.set(made.id, made);
    return { status: 200, body: made };
  }

  function create(wanted: NewTransfer): FakeAnswer {
    const { customerTransactionId, targetAccount } = wanted;
    const earlier = [...transfers.values()].find(
      (made) => made.customerTransactionId === customerTransactionId,
    );
    if (earlier) return { status: 200, body: earlier };
    if (isEmpty) return refusal(422, 'INSUFFICIENT_FUNDS');
    const quoted = quotes.get(wanted.quoteUuid);
    if (!quoted || !/^[0-9a-f-]{36}$/.test(customerTransactionId)) return refusal(422, 'NOT_VALID');
    const made = {
      id: FIRST_ID + transfers.size,
      status: 'incoming_payment_waiting',
      customerTransactionId,
    };
    transfers.set(String(made.id), made);
    payments.push({
      id: String(made.id),
      amount: quoted.targetAmount,
      currency: quoted.targetCurrency,
      destination: String(targetAccount),
      key: customerTransactionId,
    });
    return { status: 200, body: made };
  }

  /** One page of transfers, newest first. */
  function list(query: URLSearchParams): FakeAnswer {
    const since = Date.parse(query.get('createdDateStart') ?? '');
    const isOurs = query.get('profile') === profile && since <= Date.now();
    const all = isOurs && !hidden ? [...transfers.values()].toReversed() : [];
    const limit = Math.min(Number(query.get('limit') ?? 10), 100);
    const offset = repeats ? 0 : Number(query.get('offset') ?? 0);
    return { status: 200, body: all.slice(offset, offset + limit) };
  }

  const server = await openFakeServer({
    stepOf: ({ method, path }) =>
      path.endsWith('/quotes') ? 'begin' : method === 'POST' ? 'pay' : 'ask',
    declined: refusal(422, 'RECIPIENT_INACTIVE'),
    unauthorized,
    forbidden: {
      status: 403,
      body: { timestamp: '2026-02-03T09:30:00Z', status: 403, error: 'Forbidden', message: token },
    },
    empty: (empty) => void (isEmpty = empty),
    answer({ method, path, query, headers, body }) {
      if (headers.authorization !== `Bearer ${token}`) return unauthorized;
      if (path === `/v3/profiles/${profile}/quotes`) return quote(JSON.parse(body));
      if (path === '/v1/transfers') {
        return method === 'POST' ? create(JSON.parse(body)) : list(query);
      }
      const known = transfers.get(path.replace('/v1/transfers/', ''));
      return known ? { status: 200, body: known } : refusal(404, 'NOT_FOUND');
    },
  });
  return {
    ...server,
    token,
    profile,
    payments,
    settle: (id, status) => void (transfers.get(id)!.status = status),
    hide: (hide) => void (hidden = hide),
    crowd(count) {
      for (let made = 0; made < count; made += 1) {
        const id = FIRST_ID + transfers.size;
        const customerTransactionId = `other-${id}`;
        transfers.set(String(id), { id, status: 'processing', customerTransactionId });
      }
    },
    repeatFirstPage: (repeat) => void (repeats = repeat),
  };
}
