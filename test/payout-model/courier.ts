import { setImmediate } from 'node:timers/promises';
import type { Extension } from '../../src/kernel/declare/extension.ts';
import type { GatewayOutcome, GatewayPayout } from '../../src/addons/payouts/extension.ts';

/** What the gateway does when it is to pay. */
export const payBehaviours = [
  'paid',
  /** Takes it on; whether it arrives is known later. */
  'created',
  'declined',
  /** Does nothing, and cannot tell. */
  'unknown',
  'throws',
  /** Pays, and the answer is lost. */
  'lost',
  /** Takes it on and answers what no gateway should. */
  'strange',
] as const;
export const askBehaviours = ['truth', 'unknown', 'throws', 'strange'] as const;

export interface Script {
  pay: (typeof payBehaviours)[number];
  ask: (typeof askBehaviours)[number];
  /** Turns of the event loop before it does what it does, and before its answer arrives. */
  before: number;
  after: number;
}

/** What was truly paid, or taken on: one for each time that money would move. */
export interface Payment {
  payoutId: number;
  key: string;
  amount: number;
  id: string;
  state: 'on-its-way' | 'complete' | 'returned';
}

const prompt: Script = { pay: 'paid', ask: 'truth', before: 0, after: 0 };

/** A payment service with books of its own. It never pays one key twice, as it must not. */
export class Courier {
  payments: Payment[] = [];
  /** How often it was asked about a payout. */
  asked = new Map<number, number>();
  script: Script = prompt;
  /** What it was told that it must never be told. */
  faults: string[] = [];
  /** The keys that it was to pay, and those of which it has said that there is no payment. */
  #tried = new Set<string>();
  #absent = new Set<string>();
  /** A sentence with which the site itself refuses payouts. */
  refusal: string | undefined;
  #life = 0;

  reset(): void {
    this.payments = [];
    this.asked = new Map();
    this.faults = [];
    this.#tried = new Set();
    this.#absent = new Set();
    this.script = prompt;
    this.refusal = undefined;
    this.#life += 1;
  }

  /** The program dies: whoever is talking hears nothing more, and what it meant to say is not said. */
  hangUp(): void {
    this.#life += 1;
  }

  of(payoutId: number): Payment[] {
    return this.payments.filter((payment) => payment.payoutId === payoutId);
  }

  pay = (payout: GatewayPayout): Promise<GatewayOutcome> =>
    this.#talk(() => {
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
      if (pay === 'throws' || pay === 'lost') throw new Error('the line broke');
      if (pay === 'strange') return { status: 'ok' } as never;
      if (pay === 'unknown') return { status: 'unknown' };
      const known = this.#truth(payout);
      return known.status === 'absent' ? { status: 'failed', reason: 'No funds.' } : known;
    });

  /** Not every gateway knows its keys for ever: it may be told to pay again only after it was asked. */
  #inspect(
    { idempotency_key: key, amount_minor, repeated }: GatewayPayout,
    earlier?: Payment,
  ): void {
    if (earlier && earlier.amount !== amount_minor) this.faults.push(`${key}: two amounts`);
    if (this.#tried.has(key) && !repeated) this.faults.push(`${key}: tried twice as if new`);
    if (repeated && !this.#absent.delete(key)) this.faults.push(`${key}: again without asking`);
    this.#tried.add(key);
  }

  ask = async (payout: GatewayPayout): Promise<GatewayOutcome> => {
    const outcome = await this.#ask(payout);
    if (outcome?.status === 'absent') this.#absent.add(payout.idempotency_key);
    return outcome;
  };

  #ask = (payout: GatewayPayout): Promise<GatewayOutcome> =>
    this.#talk(() => {
      this.asked.set(payout.payout_id, (this.asked.get(payout.payout_id) ?? 0) + 1);
      const { ask } = this.script;
      if (ask === 'throws') throw new Error('the line broke');
      if (ask === 'strange') return null as never;
      return ask === 'unknown' ? { status: 'unknown' } : this.#truth(payout);
    });

  #truth({ idempotency_key }: GatewayPayout): GatewayOutcome {
    const payment = this.payments.find(({ key }) => key === idempotency_key);
    if (!payment) return { status: 'absent' };
    if (payment.state === 'returned') return { status: 'failed', reason: 'It came back.' };
    return {
      status: payment.state === 'complete' ? 'paid' : 'created',
      transaction_id: payment.id,
    };
  }

  async #talk(act: () => GatewayOutcome): Promise<GatewayOutcome> {
    const life = this.#life;
    const { before, after } = this.script;
    await this.#turns(before, life);
    let outcome: GatewayOutcome | Error;
    try {
      outcome = act();
    } catch (error) {
      outcome = error as Error;
    }
    await this.#turns(after, life);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  async #turns(turns: number, life: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    if (life !== this.#life) throw new Error('nobody is there any more');
  }
}

export const courier = new Courier();

const extension: Extension = {
  name: 'courier',
  gateways: [{ method_type: 'courier', label: 'Courier', pay: courier.pay, ask: courier.ask }],
  refusePayout: async () => courier.refusal,
};

export default extension;
