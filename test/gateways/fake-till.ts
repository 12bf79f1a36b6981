import {
  openFakeServer,
  type FakeAnswer,
  type FakePayment,
  type FakeServer,
} from './fake-server.ts';

export interface FakeTill extends FakeServer {
  readonly payments: FakePayment[];
  /** Whether it denies that it has any payment. */
  hide(hidden: boolean): void;
}

interface NewPayment {
  key: string;
  amount: number;
  currency: string;
}

/** A minimal payment service: pays each key once and finds payments by key. */
export async function openFakeTill(): Promise<FakeTill> {
  const payments: FakePayment[] = [];
  let [hidden, isEmpty] = [false, false];
  const absent: FakeAnswer = { status: 404, body: { error: 'no such payment' } };

  function pay({ key, amount, currency }: NewPayment): FakeAnswer {
    let payment = payments.find((made) => made.key === key);
    if (!payment && isEmpty) return { status: 402, body: { error: 'the till is empty' } };
    if (!payment) {
      payment = { id: `till-${payments.length + 1}`, amount, currency, destination: 'till', key };
      payments.push(payment);
    }
    return { status: 200, body: payment };
  }

  const server = await openFakeServer({
    stepOf: ({ method }) => (method === 'POST' ? 'pay' : 'ask'),
    declined: { status: 422, body: { error: 'no such receiver' } },
    unauthorized: { status: 401, body: { error: 'unauthorized' } },
    forbidden: { status: 403, body: { error: 'forbidden' } },
    empty: (empty) => void (isEmpty = empty),
    answer({ method, path, body }) {
      if (method === 'POST') return pay(JSON.parse(body));
      const payment = payments.find(({ key }) => path.endsWith(`/${key}`));
      return payment && !hidden ? { status: 200, body: payment } : absent;
    },
  });
  return { ...server, payments, hide: (hide) => void (hidden = hide) };
}
