import { connection } from './graphql-connection.ts';

/** What an app may see of an order. */
export interface Access {
  /** Throws unless the app has the scope. */
  requireScope(scope: string, field: string): void;
  /** Throws if the plan of the shop shows such an app no personal data. */
  requirePersonalData(field: string): void;
}

type Json = Record<string, any>;

const gid = (type: string, id: string | number) => `gid://shopify/${type}/${id}`;
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
/** GraphQL has times in UTC, without fractions of a second. */
const timeOf = (value: string | null | undefined) =>
  value ? `${new Date(value).toISOString().slice(0, 19)}Z` : null;
const enumOf = (value: string) => value.toUpperCase();

/** An order as the GraphQL Admin API resolves it, out of what a delivery says. */
export function graphqlOrder(order: Json, access: Access): Json {
  const own: string = order['currency'];
  const money = (object: Json, name: string) => moneyBag(object, name, own);
  const taxes = (line: Json) =>
    listOf(line['tax_lines']).map((tax) => ({ priceSet: money(tax, 'price') }));
  const address = (value: Json | null | undefined, field: string) => () => {
    if (!value) return null;
    access.requirePersonalData(field);
    return mailingAddress(value);
  };
  const lineItem = (line: Json) => ({
    __typename: 'LineItem',
    id: gid('LineItem', line['id']),
    quantity: line['quantity'],
    currentQuantity: line['current_quantity'] ?? line['quantity'],
    requiresShipping: line['requires_shipping'] ?? true,
    product: () => {
      access.requireScope('read_products', 'product');
      return line['product_id'] ? { id: gid('Product', line['product_id']) } : null;
    },
    sellingPlan: sellingPlan(line['selling_plan_allocation']?.selling_plan),
    customAttributes: attributes(line['properties']),
    originalUnitPriceSet: money(line, 'price'),
    discountAllocations: listOf(line['discount_allocations']).map((each) => ({
      allocatedAmountSet: money(each, 'amount'),
    })),
    taxLines: taxes(line),
    title: line['title'] ?? '',
  });
  const customer = order['customer'];
  return {
    __typename: 'Order',
    id: gid('Order', order['id']),
    name: order['name'],
    sourceName: order['source_name'] ?? 'web',
    test: order['test'],
    taxesIncluded: order['taxes_included'],
    currencyCode: own,
    createdAt: timeOf(order['created_at']),
    processedAt: timeOf(order['processed_at']),
    updatedAt: timeOf(order['updated_at']),
    cancelledAt: timeOf(order['cancelled_at']),
    closedAt: timeOf(order['closed_at']),
    displayFinancialStatus: enumOf(order['financial_status']),
    displayFulfillmentStatus: order['fulfillment_status'] ? 'FULFILLED' : 'UNFULFILLED',
    email: () => {
      access.requirePersonalData('email');
      return order['email'];
    },
    customer: () => {
      access.requireScope('read_customers', 'customer');
      return customer ? graphqlCustomer(customer, access) : null;
    },
    billingAddress: address(order['billing_address'], 'billingAddress'),
    shippingAddress: address(order['shipping_address'], 'shippingAddress'),
    landingPageUrl: order['landing_site']
      ? new URL(order['landing_site'], 'https://northern-trail.example').href
      : null,
    referralCode: order['landing_site_ref'],
    customAttributes: attributes(order['note_attributes']),
    discountCodes: listOf(order['discount_codes']).map(({ code }) => code),
    subtotalPriceSet: money(order, 'subtotal_price'),
    currentSubtotalPriceSet: money(order, 'current_subtotal_price'),
    totalTaxSet: money(order, 'total_tax'),
    totalShippingPriceSet: money(order, 'total_shipping_price'),
    totalPriceSet: money(order, 'total_price'),
    lineItems: connection(listOf(order['line_items']).map(lineItem)),
    shippingLines: connection(
      listOf(order['shipping_lines']).map((line) => ({
        discountedPriceSet: money(line, 'discounted_price'),
        taxLines: taxes(line),
        isRemoved: false,
      })),
    ),
    refunds: listOf(order['refunds']).map((refund) => graphqlRefund(refund, money)),
  };
}

function graphqlRefund(refund: Json, money: (object: Json, name: string) => Json): Json {
  return {
    __typename: 'Refund',
    id: gid('Refund', refund['id']),
    createdAt: timeOf(refund['created_at']),
    processedAt: timeOf(refund['processed_at']),
    refundLineItems: connection(
      listOf(refund['refund_line_items']).map((line) => ({
        quantity: line['quantity'],
        lineItem: { id: gid('LineItem', line['line_item_id']) },
        subtotalSet: money(line, 'subtotal'),
        totalTaxSet: money(line, 'total_tax'),
      })),
    ),
    refundShippingLines: connection(
      listOf(refund['refund_shipping_lines']).map((line) => ({
        subtotalAmountSet: money(line, 'subtotal_amount'),
      })),
    ),
    orderAdjustments: connection(
      listOf(refund['order_adjustments']).map((each) => ({
        amountSet: money(each, 'amount'),
        taxAmountSet: money(each, 'tax_amount'),
        reason: 'REFUND_DISCREPANCY',
      })),
    ),
    transactions: connection(
      listOf(refund['transactions']).map(({ kind, status, amount, currency }) => ({
        kind: enumOf(kind),
        status: enumOf(status),
        amountSet: { presentmentMoney: { amount, currencyCode: currency } },
      })),
    ),
  };
}

function graphqlCustomer(customer: Json, access: Access): Json {
  return {
    id: gid('Customer', customer['id']),
    defaultEmailAddress: () => {
      access.requirePersonalData('defaultEmailAddress');
      return customer['email'] ? { emailAddress: customer['email'] } : null;
    },
    defaultAddress: () => {
      if (!customer['default_address']) return null;
      access.requirePersonalData('defaultAddress');
      return mailingAddress(customer['default_address']);
    },
  };
}

function mailingAddress(address: Json): Json {
  return {
    firstName: address['first_name'],
    lastName: address['last_name'],
    countryCodeV2: address['country_code'],
  };
}

function sellingPlan(plan: Json | undefined): Json | null {
  return plan ? { name: 'Every month', sellingPlanId: gid('SellingPlan', plan['id']) } : null;
}

function attributes(list: unknown): Json[] {
  return listOf(list).map(({ name, value }) => ({ key: name, value: String(value) }));
}

/** Amounts are decimals with one digit after the point at least, such as 80.0 of any currency. */
function moneyBag(object: Json, name: string, own: string): Json {
  const plain = { amount: object[name] ?? '0.00', currency_code: own };
  const { shop_money, presentment_money } = object[`${name}_set`] ?? {
    shop_money: plain,
    presentment_money: plain,
  };
  const money = ({ amount, currency_code }: Json) => ({
    amount: String(Number(amount)).replace(/^-?\d+$/, '$&.0'),
    currencyCode: currency_code,
  });
  return { shopMoney: money(shop_money), presentmentMoney: money(presentment_money) };
}
