import type { Sale, StripeObject, Terms } from './stripe-objects.ts';

const TAX = 0.2;
const SHIPPING = 500;
const NINA = 'nina.berg@customer.example';

/**
 * The objects of a Stripe account, as the API stores them, and the events that their changes make. Every change
 * moves the clock by some seconds.
 */
export class FakeStripeAccount {
  /** All objects by id, in the order of their creation. */
  readonly objects = new Map<string, StripeObject>();
  /** Fields that an object has only where a request expands them. */
  readonly includable = new Map<string, StripeObject>();
  nowS = Date.parse('2026-09-14T15:00:00Z') / 1_000;
  /** What a currency is worth in the currency of the account, which is USD. */
  readonly rates: Record<string, number> = { eur: 1.1 };
  #next = 0;

  id(prefix: string): string {
    return `${prefix}_1Q${String(++this.#next).padStart(22, '0')}`;
  }

  add<T extends StripeObject>(prefix: string, object: string, fields: T): T & { id: string } {
    const entry = { id: this.id(prefix), object, created: this.nowS, livemode: false, ...fields };
    this.objects.set(entry.id, entry);
    return entry;
  }

  all(object: string): StripeObject[] {
    return [...this.objects.values()].filter((each) => each['object'] === object);
  }

  /** A field that an object has only where it is expanded. */
  included(id: string, name: string): unknown {
    const isRefunds = name === 'refunds' && this.objects.get(id)?.['object'] === 'charge';
    const refunds = () => this.all('refund').filter(({ charge }) => charge === id);
    return structuredClone(
      isRefunds
        ? { object: 'list', has_more: false, data: refunds() }
        : this.includable.get(id)?.[name],
    );
  }

  tick(seconds = 3): number {
    return (this.nowS += seconds);
  }

  emit(type: string, object: StripeObject): StripeObject {
    return this.add('evt', 'event', {
      type,
      api_version: '2026-10-28.endive',
      data: { object: structuredClone(object) },
    });
  }

  promotionCode(code: string): StripeObject {
    const known = this.all('promotion_code').find((each) => each['code'] === code);
    if (known) return known;
    const coupon = this.add('co', 'coupon', { percent_off: 10, duration: 'once' });
    return this.add('promo', 'promotion_code', {
      code,
      active: true,
      promotion: { type: 'coupon', coupon: coupon.id },
    });
  }

  #pay(amount: number, currency: string): { payment: StripeObject; charge: StripeObject } {
    const payment = this.add('pi', 'payment_intent', {
      amount,
      currency,
      status: 'succeeded',
      metadata: {},
      latest_charge: '',
    });
    const balance = this.add('txn', 'balance_transaction', {
      amount: Math.round(amount * (this.rates[currency] ?? 1)),
      currency: 'usd',
    });
    const charge = this.add('ch', 'charge', {
      amount,
      currency,
      amount_refunded: 0,
      disputed: false,
      payment_intent: payment.id,
      balance_transaction: balance.id,
    });
    payment.latest_charge = charge.id;
    return { payment, charge };
  }

  /** A payment by Checkout of one product with shipping and tax. */
  sell(terms: Terms = {}): Sale {
    const { code, ref, amount = 10_000, currency = 'usd', metadata = {}, email = NINA } = terms;
    this.tick();
    const discount = code === undefined ? 0 : Math.round(amount * 0.1);
    const tax = Math.round((amount - discount) * TAX);
    const total = amount - discount + tax + SHIPPING;
    const { payment, charge } = this.#pay(total, currency);
    const session = this.add('cs_test', 'checkout.session', {
      mode: 'payment',
      status: 'complete',
      payment_status: 'paid',
      payment_intent: payment.id,
      subscription: null,
      invoice: null,
      currency,
      amount_subtotal: amount,
      amount_total: total,
      total_details: { amount_discount: discount, amount_shipping: SHIPPING, amount_tax: tax },
      client_reference_id: ref ?? null,
      metadata,
      customer_details: { email },
      discounts:
        code === undefined ? [] : [{ coupon: null, promotion_code: this.promotionCode(code).id }],
    });
    this.includable.set(session.id, {
      line_items: {
        object: 'list',
        has_more: false,
        data: [
          {
            id: this.id('li'),
            object: 'item',
            description: 'Ridge tent',
            quantity: 2,
            amount_subtotal: amount,
            amount_discount: discount,
            amount_tax: tax,
            amount_total: amount - discount + tax,
            price: { id: 'price_tent', product: 'prod_tent' },
          },
        ],
      },
    });
    this.emit('checkout.session.completed', session);
    return { session, payment, charge };
  }

  /** A subscription that Checkout began, with its first invoice. */
  subscribe(terms: Terms & { trialEndS?: number } = {}): StripeObject {
    this.tick();
    const { code, ref, metadata = {}, currency = 'usd', trialEndS = null, email = NINA } = terms;
    const subscription = this.add('sub', 'subscription', {
      status: 'active',
      start_date: this.nowS,
      trial_end: trialEndS,
      metadata,
    });
    const invoice = this.bill(
      subscription,
      { ...terms, amount: trialEndS === null ? (terms.amount ?? 3_000) : 0 },
      'subscription_create',
    );
    const session = this.add('cs_test', 'checkout.session', {
      mode: 'subscription',
      status: 'complete',
      payment_status: 'paid',
      payment_intent: null,
      subscription: subscription.id,
      invoice: invoice['id'],
      currency,
      amount_total: invoice['total'],
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      client_reference_id: ref ?? null,
      metadata: {},
      customer_details: { email },
      discounts:
        code === undefined ? [] : [{ coupon: null, promotion_code: this.promotionCode(code).id }],
    });
    this.emit('checkout.session.completed', session);
    return subscription;
  }

  /** An invoice of a subscription that was paid at once. The promotion code applies to the first one only. */
  bill(
    subscription: StripeObject | null,
    { code, amount = 3_000, currency = 'usd', email = NINA }: Terms = {},
    billing_reason = 'subscription_cycle',
  ): StripeObject {
    this.tick();
    const isFirst = billing_reason === 'subscription_create';
    const discount = isFirst && code !== undefined ? Math.round(amount * 0.1) : 0;
    const total = amount - discount;
    const paid = total > 0 ? this.#pay(total, currency) : undefined;
    const invoice = this.add('in', 'invoice', {
      billing_reason,
      number: `TRIB-${String(this.all('invoice').length + 1).padStart(4, '0')}`,
      status: 'paid',
      currency,
      subtotal: amount,
      total,
      total_taxes: [],
      total_discount_amounts: discount === 0 ? [] : [{ amount: discount, discount: 'di_1' }],
      shipping_cost: null,
      customer: email === NINA ? 'cus_Nina' : `cus_${email}`,
      customer_email: email,
      customer_address: { country: 'AT' },
      metadata: {},
      status_transitions: { paid_at: this.nowS, voided_at: null },
      parent: subscription && {
        type: 'subscription_details',
        subscription_details: {
          subscription: subscription['id'],
          metadata: subscription['metadata'],
        },
      },
      discounts:
        discount === 0
          ? []
          : [this.add('di', 'discount', { promotion_code: this.promotionCode(code!).id }).id],
      lines: {
        object: 'list',
        has_more: false,
        data: [
          {
            id: this.id('il'),
            object: 'line_item',
            description: '1 × Plan (at $30.00 / month)',
            amount,
            quantity: 1,
            discount_amounts: discount === 0 ? [] : [{ amount: discount, discount: 'di_1' }],
            taxes: [],
            pricing: {
              type: 'price_details',
              price_details: { price: 'price_plan', product: 'prod_plan' },
            },
          },
        ],
      },
    });
    const payments = paid
      ? [
          this.add('inpay', 'invoice_payment', {
            invoice: invoice.id,
            status: 'paid',
            payment: { type: 'payment_intent', payment_intent: paid.payment['id'] },
          }),
        ]
      : [];
    this.includable.set(invoice.id, {
      payments: { object: 'list', has_more: false, data: payments },
    });
    this.emit('invoice.paid', invoice);
    return invoice;
  }

  chargeOf(invoice: StripeObject): StripeObject {
    const [first] = this.includable.get(invoice['id'])!['payments'].data;
    const payment = this.objects.get(first.payment.payment_intent)!;
    return this.objects.get(payment['latest_charge'])!;
  }

  refund(charge: StripeObject, amount: number): StripeObject {
    this.tick();
    const left = Math.min(amount, charge['amount'] - charge['amount_refunded']);
    charge['amount_refunded'] += left;
    const refund = this.add('re', 'refund', {
      amount: left,
      currency: charge['currency'],
      status: 'succeeded',
      payment_intent: charge['payment_intent'],
      charge: charge['id'],
    });
    this.emit('charge.refunded', charge);
    return refund;
  }

  /** The customer's bank did not take it. */
  failRefund(refund: StripeObject): void {
    this.tick();
    refund['status'] = 'failed';
    this.objects.get(refund['charge'])!['amount_refunded'] -= refund['amount'];
    this.emit('refund.failed', refund);
  }

  dispute(charge: StripeObject, status = 'needs_response'): StripeObject {
    this.tick();
    charge['disputed'] = true;
    const { amount, currency, payment_intent } = charge;
    const dispute = this.add('du', 'dispute', {
      status,
      amount,
      currency,
      payment_intent,
      charge: charge['id'],
      balance_transactions: [{ id: this.id('txn'), created: this.nowS, amount: -amount }],
    });
    this.emit('charge.dispute.created', dispute);
    return dispute;
  }

  closeDispute(dispute: StripeObject, status: 'won' | 'lost' | 'warning_closed'): void {
    this.tick();
    dispute['status'] = status;
    if (status === 'won') {
      dispute['balance_transactions'].push({
        id: this.id('txn'),
        created: this.nowS,
        amount: dispute['amount'],
      });
    }
    this.emit('charge.dispute.closed', dispute);
  }
}
