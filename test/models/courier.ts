import { setImmediate } from 'node:timers/promises';

/** What it reads of a payout. */
interface GatewayPayout {
  payout_id: number;
  amount_minor: number;
  idempotency_key: string;
  repeated: boolean;
}

/** The outcomes of a gateway that it gives. */
type GatewayOutcome =
  | { status: 'paid' | 'created'; transaction_id: string }
  | { status: 'failed'; reason: string }
  | { status: 'absent' | 'unknown' };

/** How the gateway behaves when it is asked to pay. */
export const payBehaviours = [
  'paid',
  /** Accepts the payment; its result is known later. */
  'created',
  'declined',
  /** Does nothing and answers `unknown`. */
  'unknown',
  'throws',
  /** Pays, but the answer is lost. */
  'lost',
  /** Accepts the payment and gives an invalid answer. */
  'strange',
] as const;
export const askBehaviours = ['truth', 'unknown', 'throws', 'strange'] as const;

export interface Script {
  pay: (typeof payBehaviours)[number];
  ask: (typeof askBehaviours)[number];
  /** Event loop ticks before it acts, and before its answer arrives. */
  before: number;
  after: number;
}

/** A payment that was made or accepted: one for each time that money would move. */
export interface Payment {
  payoutId: number;
  key: string;
  amount: number;
  id: string;
  state: 'on-its-way' | 'complete' | 'returned';
}

/** An answer that the types do not allow, as an extension in JavaScript may give it. */
const invalid = (answer: any): GatewayOutcome => answer;

const working: Script = { pay: 'paid', ask: 'truth', before: 0, after: 0 };

/** A payment service with its own books. It never pays one key twice. */
export class Courier {
  payments: Payment[] = [];
  /** How often it was asked about a payout. */
  asked = new Map<number, number>();
  script: Script = working;
  /** Requests that it must never receive. */
  errors: string[] = [];
  /** The keys that it was asked to pay, and the keys for which it has answered `absent`. */
  #tried = new Set<string>();
  #absent = new Set<string>();
  /** The message with which the extension refuses payouts. */
  refusal: string | undefined;
  #life = 0;

  reset(): void {
    this.payments = [];
    this.asked = new Map();
    this.errors = [];
    this.#tried = new Set();
    this.#absent = new Set();
    this.script = working;
    this.refusal = undefined;
    this.#life += 1;
  }

  /** The process dies: its open calls get no answer. */
  hangUp(): void {
    this.#life += 1;
  }

  of(payoutId: number): Payment[] {
    return this.payments.filter((payment) => payment.payoutId === payoutId);
  }

  pay = (payout: GatewayPayout): Promise<GatewayOutcome> =>
    this.#answer(() => {
      const { pay } = this.script;
      const earlier = this.payments.find(({ key }) => key === payout.idempotency_key);
      this.#inspect(payout, earlier);
      if (!earlier && ['paid', 'created', 'lost', 'strange'].includes(pay)) {
        this.payments.push({
          payoutId: payout.payout_id,
          key: payout.idempotency_key,
          amount: payout.amount_minor,
          id: `courier-${this.payments.length + 1}`,
          state: pay === 'paid' || pay === 'lost' ? 'complete' : 'on-its-way',
        });
      }
      if (pay === 'throws' || pay === 'lost') throw new Error('the connection broke');
      if (pay === 'strange') return invalid({ status: 'ok' });
      if (pay === 'unknown') return { status: 'unknown' };
      const known = this.#truth(payout);
      return known.status === 'absent' ? { status: 'failed', reason: 'No funds.' } : known;
    });

  /** Not every gateway remembers keys forever, so it must be asked before an attempt is repeated. */
  #inspect(
    { idempotency_key: key, amount_minor, repeated }: GatewayPayout,
    earlier?: Payment,
  ): void {
    if (earlier && earlier.amount !== amount_minor)
      this.errors.push(`${key}: two different amounts`);
    if (this.#tried.has(key) && !repeated)
      this.errors.push(`${key}: a second attempt not marked as repeated`);
    if (repeated && !this.#absent.delete(key))
      this.errors.push(`${key}: repeated without asking first`);
    this.#tried.add(key);
  }

  ask = async (payout: GatewayPayout): Promise<GatewayOutcome> => {
    const outcome = await this.#ask(payout);
    if (outcome?.status === 'absent') this.#absent.add(payout.idempotency_key);
    return outcome;
  };

  #ask = (payout: GatewayPayout): Promise<GatewayOutcome> =>
    this.#answer(() => {
      this.asked.set(payout.payout_id, (this.asked.get(payout.payout_id) ?? 0) + 1);
      const { ask } = this.script;
      if (ask === 'throws') throw new Error('the connection broke');
      if (ask === 'strange') return invalid(null);
      return ask === 'unknown' ? { status: 'unknown' } : this.#truth(payout);
    });

  #truth({ idempotency_key }: GatewayPayout): GatewayOutcome {
    const payment = this.payments.find(({ key }) => key === idempotency_key);
    if (!payment) return { status: 'absent' };
    if (payment.state === 'returned')
      return { status: 'failed', reason: 'The payment was returned.' };
    return {
      status: payment.state === 'complete' ? 'paid' : 'created',
      transaction_id: payment.id,
    };
  }

  async #answer(act: () => GatewayOutcome): Promise<GatewayOutcome> {
    const life = this.#life;
    const { before, after } = this.script;
    await this.#ticks(before, life);
    let outcome: GatewayOutcome | Error;
    try {
      outcome = act();
    } catch (error) {
      outcome = error as Error;
    }
    await this.#ticks(after, life);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  async #ticks(ticks: number, life: number): Promise<void> {
    for (let tick = 0; tick < ticks; tick += 1) await setImmediate();
    if (life !== this.#life) throw new Error('the process has died');
  }
}

export const courier = new Courier();

const extension = {
  name: 'courier',
  gateways: [{ method_type: 'courier', label: 'Courier', pay: courier.pay, ask: courier.ask }],
  refusePayout: async () => courier.refusal,
};

export default extension;
