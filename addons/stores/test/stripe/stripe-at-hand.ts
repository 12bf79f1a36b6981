import assert from 'node:assert/strict';
import type { Mapped, MappingContext, StoreApi, StoreOrder } from '../../connectors/connector.ts';
import { stripe } from '../../connectors/stripe/connector.ts';
import { directShop } from '../direct-shop.ts';
import { FakeStripe, SECRET_KEY } from './fake-stripe.ts';

export const mappingContext: MappingContext = {
  canAsk: true,
  isComplete: false,
  codeParameters: ['ref', 'via'],
  settings: {},
  currency: 'USD',
};

/** A fake account of Stripe with a direct connection to it. */
export class StripeAtHand {
  readonly fake: FakeStripe;

  private constructor(fake: FakeStripe) {
    this.fake = fake;
  }

  static async open(): Promise<StripeAtHand> {
    return new StripeAtHand(await FakeStripe.open());
  }

  get account(): FakeStripe['account'] {
    return this.fake.account;
  }

  readonly shop = (more: Partial<StoreApi> = {}): StoreApi =>
    directShop({
      url: this.fake.api.url,
      credentials: { secret_key: SECRET_KEY },
      nowMs: this.account.nowS * 1_000,
      ...more,
    });

  /** What the purchase of a session, an invoice or a payment is mapped to. */
  readonly purchased = async (
    id: string,
    change: Partial<MappingContext> = {},
  ): Promise<Mapped> => {
    const payload = await stripe.fetchOrder?.(this.shop(), id);
    return stripe.toOrder(payload, { ...mappingContext, ...change }, '');
  };

  readonly orderOf = async (
    id: string,
    change: Partial<MappingContext> = {},
  ): Promise<StoreOrder> => {
    const mapped = await this.purchased(id, change);
    assert.equal(mapped.result, 'order', JSON.stringify(mapped));
    return (mapped as { order: StoreOrder }).order;
  };
}
