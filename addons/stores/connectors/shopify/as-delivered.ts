import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { idIn } from './client.ts';

/** An order as GraphQL answers, with all pages of its lists. */
export interface WholeOrder {
  readonly order: Json;
  readonly lines: readonly Json[];
  readonly shippingLines: readonly Json[];
  readonly refunds: readonly WholeRefund[];
}

export interface WholeRefund {
  readonly refund: Json;
  readonly lines: readonly Json[];
  readonly shippingLines: readonly Json[];
  readonly adjustments: readonly Json[];
  readonly payments: readonly Json[];
}

/**
 * Brings an order that was read into the form of deliveries, which is the one form that is mapped: what Shopify sends
 * and what is read give the same order. It has the fields that the mapping reads.
 */
export function asDelivered({ order, lines, shippingLines, refunds }: WholeOrder): Json {
  const customer = objectOf(order['customer']);
  return {
    id: idIn(order['id']),
    admin_graphql_api_id: order['id'],
    name: order['name'],
    source_name: order['sourceName'],
    test: order['test'],
    taxes_included: order['taxesIncluded'],
    currency: order['currencyCode'],
    created_at: order['createdAt'],
    processed_at: order['processedAt'],
    updated_at: order['updatedAt'],
    cancelled_at: order['cancelledAt'],
    closed_at: order['closedAt'],
    financial_status: lowered(order['displayFinancialStatus']),
    fulfillment_status: lowered(order['displayFulfillmentStatus']),
    email: order['email'],
    customer: {
      id: idIn(customer['id']),
      email: objectOf(customer['defaultEmailAddress'])['emailAddress'],
      default_address: addressOf(customer['defaultAddress']),
    },
    billing_address: addressOf(order['billingAddress']),
    shipping_address: addressOf(order['shippingAddress']),
    // What replaces these two is filled in later and not for every order, so that it would not agree with deliveries.
    landing_site: order['landingPageUrl'],
    landing_site_ref: order['referralCode'],
    note_attributes: attributesOf(order),
    discount_codes: textsOf(order['discountCodes']).map((code) => ({ code })),
    subtotal_price_set: moneyOf(order['subtotalPriceSet']),
    current_subtotal_price_set: moneyOf(order['currentSubtotalPriceSet']),
    total_tax_set: moneyOf(order['totalTaxSet']),
    total_shipping_price_set: moneyOf(order['totalShippingPriceSet']),
    total_price_set: moneyOf(order['totalPriceSet']),
    line_items: lines.map(lineOf),
    shipping_lines: shippingLines.map((line) => ({
      discounted_price_set: moneyOf(line['discountedPriceSet']),
      tax_lines: taxesOf(line),
    })),
    refunds: refunds.map(refundOf),
  };
}

function lineOf(line: Json): Json {
  const plan = idIn(objectOf(line['sellingPlan'])['sellingPlanId']);
  return {
    id: idIn(line['id']),
    product_id: idIn(objectOf(line['product'])['id']),
    title: line['title'],
    quantity: line['quantity'],
    current_quantity: line['currentQuantity'],
    requires_shipping: line['requiresShipping'],
    properties: attributesOf(line),
    ...(plan !== undefined && { selling_plan_allocation: { selling_plan: { id: plan } } }),
    price_set: moneyOf(line['originalUnitPriceSet']),
    discount_allocations: objectsOf(line['discountAllocations']).map((each) => ({
      amount_set: moneyOf(each['allocatedAmountSet']),
    })),
    tax_lines: taxesOf(line),
  };
}

function refundOf({ refund, lines, shippingLines, adjustments, payments }: WholeRefund): Json {
  return {
    id: idIn(refund['id']),
    created_at: refund['createdAt'],
    processed_at: refund['processedAt'],
    refund_line_items: lines.map((line) => ({
      line_item_id: idIn(objectOf(line['lineItem'])['id']),
      quantity: line['quantity'],
      subtotal_set: moneyOf(line['subtotalSet']),
      total_tax_set: moneyOf(line['totalTaxSet']),
    })),
    refund_shipping_lines: shippingLines.map((line) => ({
      subtotal_amount_set: moneyOf(line['subtotalAmountSet']),
    })),
    order_adjustments: adjustments.map((each) => ({
      amount_set: moneyOf(each['amountSet']),
      tax_amount_set: moneyOf(each['taxAmountSet']),
    })),
    // Deliveries have payments in the currency of the customer only.
    transactions: payments.map((payment) => {
      const { amount, currencyCode } = objectOf(objectOf(payment['amountSet'])['presentmentMoney']);
      const [kind, status] = [lowered(payment['kind']), lowered(payment['status'])];
      return { kind, status, amount, currency: currencyCode };
    }),
  };
}

function moneyOf(set: unknown): Json | null {
  const { shopMoney, presentmentMoney } = objectOf(set);
  if (shopMoney === undefined) return null;
  const { amount, currencyCode } = objectOf(presentmentMoney);
  return {
    shop_money: { amount: objectOf(shopMoney)['amount'] },
    presentment_money: { amount, currency_code: currencyCode },
  };
}

function taxesOf(line: Json): Json[] {
  return objectsOf(line['taxLines']).map((tax) => ({ price_set: moneyOf(tax['priceSet']) }));
}

function attributesOf(object: Json): Json[] {
  return objectsOf(object['customAttributes']).map(({ key, value }) => ({ name: key, value }));
}

function addressOf(value: unknown): Json {
  const { firstName, lastName, countryCodeV2 } = objectOf(value);
  return { first_name: firstName, last_name: lastName, country_code: countryCodeV2 };
}

/** Values of enumerations are capital letters in GraphQL and small ones in deliveries. */
function lowered(value: unknown): string | null {
  return textOf(value)?.toLowerCase() ?? null;
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.flatMap((text) => textOf(text) ?? []) : [];
}
