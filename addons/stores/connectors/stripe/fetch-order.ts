import { objectOf, objectsOf, type Json } from '../../mapping/payload.ts';
import type { StoreApi } from '../connector.ts';
import { findStripe, listAllStripe, listStripe, numbered } from './client.ts';
import { idOf, UNRELATED, type Purchase } from './purchase.ts';
import { subscriptionOf } from './subscription.ts';

/** What Stripe puts into a session and an invoice instead of ids. It allows four levels, of which a list is one. */
export const SESSION_PARTS = [
  'line_items',
  'discounts.promotion_code',
  'payment_intent.latest_charge.balance_transaction',
  'payment_intent.latest_charge.refunds',
];
const PAYMENT_PARTS = ['latest_charge.balance_transaction', 'latest_charge.refunds'];
export const INVOICE_PARTS = [
  'discounts.promotion_code',
  'payments',
  'parent.subscription_details.subscription',
];

export function inList(parts: readonly string[]): Record<string, string> {
  return numbered(
    'expand',
    parts.map((part) => `data.${part}`),
  );
}

/** The purchase of a session, an invoice or a payment, by its id; undefined if Stripe does not show it. */
export async function fetchOrder(store: StoreApi, externalId: string): Promise<unknown> {
  const id = encodeURIComponent(externalId);
  if (externalId.startsWith('in_')) {
    const query = numbered('expand', INVOICE_PARTS);
    const invoice = await findStripe(store, `/v1/invoices/${encodeURIComponent(id)}`, query);
    return invoice && purchaseOfInvoice(store, invoice);
  }
  if (externalId.startsWith('cs_')) {
    const query = numbered('expand', SESSION_PARTS);
    const session = await findStripe(
      store,
      `/v1/checkout/sessions/${encodeURIComponent(id)}`,
      query,
    );
    return session && purchaseOf(store, session);
  }
  const session = await findSession(store, { payment_intent: externalId }, SESSION_PARTS);
  if (session) return purchaseOf(store, session);
  const { data } = await listStripe(store, '/v1/invoice_payments', {
    'payment[type]': 'payment_intent',
    'payment[payment_intent]': externalId,
    limit: 1,
  });
  const invoiceId = idOf(data[0]?.['invoice']);
  return invoiceId === undefined ? undefined : fetchOrder(store, invoiceId);
}

/** The purchase of a session with `SESSION_PARTS`: its own, or that of the first invoice of its subscription. */
export async function purchaseOf(store: StoreApi, session: Json): Promise<unknown> {
  const invoiceId = idOf(session['invoice']);
  if (session['mode'] === 'subscription' && invoiceId !== undefined) {
    return fetchOrder(store, invoiceId);
  }
  const payment = session['payment_intent'] ? objectOf(session['payment_intent']) : null;
  return {
    ...UNRELATED,
    session,
    payment,
    lines: await allOf(
      store,
      session['line_items'],
      `/v1/checkout/sessions/${encodeURIComponent(idOf(session) ?? '')}/line_items`,
    ),
    ...(await reversalsOf(store, payment ? [payment] : [])),
  } satisfies Purchase;
}

/** The purchase of an invoice with `INVOICE_PARTS`. */
export async function purchaseOfInvoice(store: StoreApi, invoice: Json): Promise<unknown> {
  const payments = await paymentsOf(store, invoice);
  const subscription = subscriptionOf(invoice);
  const subscriptionId = idOf(subscription);
  const paymentId = idOf(payments[0]);
  if (subscriptionId === undefined && paymentId !== undefined) {
    // Checkout can make an invoice for a single payment, which is the same purchase.
    const session = await findSession(store, { payment_intent: paymentId }, SESSION_PARTS);
    if (session) return purchaseOf(store, session);
  }
  return {
    ...UNRELATED,
    invoice,
    subscription: subscriptionId === undefined ? null : objectOf(subscription),
    session:
      subscriptionId === undefined
        ? null
        : await findSession(store, { subscription: subscriptionId }, ['discounts.promotion_code']),
    payment: payments[0] ?? null,
    lines: await allOf(
      store,
      invoice['lines'],
      `/v1/invoices/${encodeURIComponent(idOf(invoice) ?? '')}/lines`,
    ),
    ...(await reversalsOf(store, payments)),
  } satisfies Purchase;
}

async function findSession(
  store: StoreApi,
  filter: Readonly<Record<string, string>>,
  parts: readonly string[],
): Promise<Json | null> {
  const query = { ...filter, ...inList(parts), limit: 1 };
  const { data } = await listStripe(store, '/v1/checkout/sessions', query);
  return data[0] ?? null;
}

/** None if Stripe does not show one of them: the refunds of the others would not be all. */
async function paymentsOf(store: StoreApi, invoice: Json): Promise<Json[]> {
  const payments: Json[] = [];
  for (const { payment, status } of objectsOf(objectOf(invoice['payments'])['data'])) {
    const id = idOf(objectOf(payment)['payment_intent']);
    if (id === undefined || status !== 'paid') continue;
    const query = numbered('expand', PAYMENT_PARTS);
    const found = await findStripe(store, `/v1/payment_intents/${encodeURIComponent(id)}`, query);
    if (!found) return [];
    payments.push(found);
  }
  return payments;
}

/**
 * Refunds, with those that failed, because the time of the last change must not go back; and disputes, which are
 * requested only where the charge says that there are some.
 */
async function reversalsOf(
  store: StoreApi,
  payments: readonly Json[],
): Promise<{ refunds: Json[]; disputes: Json[] }> {
  const [refunds, disputes]: [Json[], Json[]] = [[], []];
  for (const payment of payments) {
    const charge = objectOf(payment['latest_charge']);
    const query = { payment_intent: idOf(payment) ?? '' };
    refunds.push(...(await allOf(store, charge['refunds'], '/v1/refunds', query)));
    if (charge['disputed'] === true) {
      disputes.push(...(await listAllStripe(store, '/v1/disputes', query)));
    }
  }
  return { refunds, disputes };
}

/** The entries of a list that is part of an object, with those that did not fit into it. */
async function allOf(
  store: StoreApi,
  list: unknown,
  url: string,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Json[]> {
  const { data, has_more } = objectOf(list);
  return has_more === false ? objectsOf(data) : listAllStripe(store, url, query);
}
