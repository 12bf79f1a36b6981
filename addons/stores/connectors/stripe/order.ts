import { Currency } from '../../../../src/shared/money.ts';
import {
  named,
  shownNumber,
  storableCountry,
  storableCustomer,
} from '../../mapping/order-limits.ts';
import {
  ignored,
  MappingError,
  objectOf,
  objectsOf,
  requireCurrency,
  textOf,
  type Json,
} from '../../mapping/payload.ts';
import { subscriptionIn } from '../../mapping/subscription.ts';
import type { Mapped, MappedOrder, MappingContext, StoreOrder } from '../connector.ts';
import { attributionOf } from './attribution.ts';
import { invoiceFigures, sessionFigures } from './figures.ts';
import { groupsByProduct } from './product-groups.ts';
import { idOf, type Purchase } from './purchase.ts';
import { exchangeRateOf, stripeMoney } from './stripe-money.ts';
import { paymentOf, secondsOf } from './subscription.ts';

/** Maps a purchase: a payment of Checkout, or an invoice with the session that began its subscription. */
export function toPurchaseOrder(purchase: Purchase, context: MappingContext): Mapped {
  const { session, invoice } = purchase;
  const paid = invoice ?? session;
  if (!paid) return ignored('The payment belongs neither to Checkout nor to an invoice.');
  if (!invoice && paid['mode'] === 'setup') {
    return ignored('The customer only left a means of payment.');
  }
  const currency = new Currency(requireCurrency(paid));
  const figures = invoice
    ? invoiceFigures(purchase, invoice, currency)
    : sessionFigures(purchase, paid, currency);
  if (invoice && figures.total === 0) return ignored('Nothing was charged by this invoice.');
  const refunds = refundsOf(purchase, currency);
  const refunded = refunds.reduce((sum, refund) => sum + refund.amount, 0);
  const groups = groupsByProduct(purchase);
  const money = (minor: number) => currency.toMajor(minor);
  const order: StoreOrder = {
    external_id: externalIdOf(purchase),
    ...shownNumber(invoice?.['number'], externalIdOf(purchase)),
    date: requireTime(
      secondsOf(objectOf(paid['status_transitions'])['paid_at']) || paid['created'],
    ),
    date_modified: requireTime(lastChange(purchase)),
    status: refunded > 0 && refunded >= figures.total ? 'refunded' : statusOf(purchase),
    currency: currency.code,
    ...exchangeOf(purchase, context.currency),
    subtotal: money(figures.subtotal),
    discount: money(figures.discount),
    shipping: money(figures.shipping),
    tax: money(figures.tax),
    fees: money(figures.fees),
    total: money(figures.total),
    ...storableCustomer(idOf(paid['customer']), emailOf(purchase), nameOf(purchase)),
    ...countryOf(purchase),
    ...subscriptionIn(paymentOf(purchase)),
    items: figures.lines.map((line) => ({
      product_id: line.productId,
      ...named(line),
      ...groups.get(line.productId),
      quantity: line.quantity,
      subtotal: money(line.subtotal),
      total: money(line.total),
    })),
    refunds: refunds.map(({ id, date, amount }) => ({ id, date, amount: money(amount) })),
    ...attributionOf(purchase, context.codeParameters),
  };
  return { result: 'order', order, ...notShownOf(purchase) };
}

/** A subscription may have begun without Checkout, so an invoice without its session, and without its payment, counts. */
function notShownOf({
  invoice,
  subscription,
  session,
  payment,
}: Purchase): Pick<MappedOrder, 'notShown'> {
  const ofSession = ['coupon_codes', 'referral_code', 'click_id'] as const;
  const ofPayment = ['status', 'refunds'] as const;
  const isPaid = objectsOf(objectOf(invoice?.['payments'])['data']).some(
    ({ status }) => status === 'paid',
  );
  const notShown = [
    ...(invoice && subscription && !session ? ofSession : []),
    ...(isPaid && !payment ? ofPayment : []),
  ];
  return notShown.length === 0 ? {} : { notShown };
}

/**
 * An invoice is known by its own id, and a payment of Checkout by the id of the payment, which its refunds and
 * disputes name too.
 */
function externalIdOf({ session, invoice }: Purchase): string {
  const id = invoice
    ? idOf(invoice)
    : (idOf(session?.['payment_intent']) ??
      (session?.['mode'] === 'subscription' ? idOf(session['invoice']) : undefined) ??
      idOf(session));
  if (id === undefined) throw new MappingError('The field "id" is missing.');
  return id;
}

/** Disputes of these states have taken no money, or have given it back. */
const HARMLESS_DISPUTES = new Set([
  'won',
  'prevented',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
]);

/** While a dispute is open the order earns nothing. One that is lost is a refund. */
function isOpen(dispute: Json): boolean {
  return dispute['status'] !== 'lost' && !HARMLESS_DISPUTES.has(String(dispute['status']));
}

function statusOf({ session, invoice, payment, disputes }: Purchase): StoreOrder['status'] {
  if (disputes.some(isOpen)) return 'on-hold';
  if (invoice) {
    switch (invoice['status']) {
      case 'paid':
        return 'completed';
      case 'void':
        return 'cancelled';
      case 'uncollectible':
        return 'failed';
      default:
        return 'pending';
    }
  }
  if (session?.['payment_status'] !== 'unpaid') return 'completed';
  const failed = ['requires_payment_method', 'canceled'].includes(String(payment?.['status']));
  return failed || session['status'] === 'expired' ? 'failed' : 'pending';
}

interface MinorRefund {
  readonly id: string;
  readonly date: string;
  readonly amount: number;
}

function refundsOf({ refunds, disputes }: Purchase, currency: Currency): MinorRefund[] {
  const made = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled');
  const lost = disputes.filter(({ status }) => status === 'lost');
  return [...made, ...lost].map((each) => {
    if (requireCurrency(each) !== currency.code) {
      throw new MappingError('A refund is in another currency than the payment.');
    }
    return {
      id: idOf(each) ?? '',
      date: requireTime(each['created']),
      amount: Math.max(0, stripeMoney(each, 'amount', currency)),
    };
  });
}

/** Stripe has no time of the last change: it is the latest of all times in the purchase. */
function lastChange({ session, invoice, payment, refunds, disputes }: Purchase): number {
  const times = [
    // The session of an invoice is the one that began the subscription.
    (invoice ?? session)?.['created'],
    objectOf(invoice?.['status_transitions'])['paid_at'],
    objectOf(invoice?.['status_transitions'])['voided_at'],
    objectOf(payment?.['latest_charge'])['created'],
    ...refunds.map(({ created }) => created),
    ...disputes.flatMap((dispute) => [
      dispute['created'],
      ...objectsOf(dispute['balance_transactions']).map(({ created }) => created),
    ]),
  ];
  return Math.max(...times.map(secondsOf));
}

function exchangeOf({ payment }: Purchase, target: string): Pick<StoreOrder, 'exchange_rate'> {
  const charge = objectOf(payment?.['latest_charge']);
  const rate = exchangeRateOf(charge, objectOf(charge['balance_transaction']), target);
  return rate === undefined ? {} : { exchange_rate: rate };
}

function emailOf({ session, invoice }: Purchase): string | undefined {
  return (
    textOf(invoice?.['customer_email']) ??
    textOf(objectOf(session?.['customer_details'])['email']) ??
    textOf(session?.['customer_email'])
  );
}

function nameOf({ session, invoice }: Purchase): string | undefined {
  return (
    textOf(invoice?.['customer_name']) ?? textOf(objectOf(session?.['customer_details'])['name'])
  );
}

/** Where the invoice or the session is billed to, or else sent to. */
function countryOf({ session, invoice }: Purchase): Pick<StoreOrder, 'country'> {
  const collected = objectOf(session?.['collected_information']);
  const addresses = [
    invoice?.['customer_address'],
    objectOf(session?.['customer_details'])['address'],
    objectOf(invoice?.['customer_shipping'])['address'],
    objectOf(collected['shipping_details'])['address'],
  ];
  return storableCountry(...addresses.map((address) => objectOf(address)['country']));
}

function requireTime(seconds: unknown): string {
  const time = secondsOf(seconds);
  if (time === 0) throw new MappingError('The field "created" is not a time of Stripe.');
  return new Date(time * 1_000).toISOString();
}
