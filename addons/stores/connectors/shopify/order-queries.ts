/**
 * The queries for orders. Lists have a first page in the query of the order, and what does not fit is read by
 * `wholeList`. By the costs that Shopify documents (an object 1, a list 2 and what its entries cost) each query
 * costs at most half of the 1,000 points that are allowed, so that there is room for those of other jobs.
 */

/** A list of an object that may have more pages. */
export interface List {
  readonly of: 'Order' | 'Refund';
  readonly name: string;
  readonly fields: string;
  readonly arguments?: string;
}

const SHOP_MONEY = '{ shopMoney { amount } }';

export const LINES: List = {
  of: 'Order',
  name: 'lineItems',
  fields: `
    id title quantity currentQuantity requiresShipping
    product { id }
    sellingPlan { sellingPlanId }
    customAttributes { key value }
    originalUnitPriceSet ${SHOP_MONEY}
    discountAllocations { allocatedAmountSet ${SHOP_MONEY} }
    taxLines { priceSet ${SHOP_MONEY} }`,
};

export const SHIPPING: List = {
  of: 'Order',
  name: 'shippingLines',
  arguments: ', includeRemovals: true',
  fields: `discountedPriceSet ${SHOP_MONEY} taxLines { priceSet ${SHOP_MONEY} }`,
};

export const REFUNDED_LINES: List = {
  of: 'Refund',
  name: 'refundLineItems',
  fields: `quantity lineItem { id } subtotalSet ${SHOP_MONEY} totalTaxSet ${SHOP_MONEY}`,
};

export const REFUNDED_SHIPPING: List = {
  of: 'Refund',
  name: 'refundShippingLines',
  fields: `subtotalAmountSet ${SHOP_MONEY}`,
};

export const ADJUSTMENTS: List = {
  of: 'Refund',
  name: 'orderAdjustments',
  fields: `amountSet ${SHOP_MONEY} taxAmountSet ${SHOP_MONEY}`,
};

export const PAYMENTS: List = {
  of: 'Refund',
  name: 'transactions',
  fields: 'kind status amountSet { presentmentMoney { amount currencyCode } }',
};

function pageOf({ name, fields, arguments: more = '' }: List, first: number): string {
  const page = `first: ${first}${more}`;
  return `${name}(${page}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } }`;
}

const ADDRESS = '{ firstName lastName countryCodeV2 }';

/** The refunds are only named: most orders have none, and `REFUNDS` reads several at once. */
const ORDER = `
  id name sourceName test taxesIncluded currencyCode
  createdAt processedAt updatedAt cancelledAt closedAt
  displayFinancialStatus displayFulfillmentStatus
  email
  customer { id defaultEmailAddress { emailAddress } defaultAddress { countryCodeV2 } }
  billingAddress ${ADDRESS}
  shippingAddress ${ADDRESS}
  landingPageUrl referralCode
  customAttributes { key value }
  discountCodes
  subtotalPriceSet ${SHOP_MONEY}
  currentSubtotalPriceSet ${SHOP_MONEY}
  totalTaxSet ${SHOP_MONEY}
  totalShippingPriceSet ${SHOP_MONEY}
  totalPriceSet { shopMoney { amount } presentmentMoney { amount currencyCode } }
  ${pageOf(LINES, 5)}
  ${pageOf(SHIPPING, 2)}
  refunds { id }`;

export const ONE_ORDER = `query Order($id: ID!) {
  order(id: $id) { ${ORDER} }
}`;

/** As many of these cost less than 500 by the documented costs; `orders.ts` asks for more where they cost less. */
export const ORDERS_FIRST = 4;

export const CHANGED_ORDERS = `query Orders($first: Int!, $after: String, $query: String!, $counts: Boolean!) {
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    edges { cursor node { ${ORDER} } }
    pageInfo { hasNextPage }
  }
  ordersCount(query: $query, limit: null) @include(if: $counts) { count }
}`;

export const REFUNDS_TOGETHER = 8;

export const REFUNDS = `query Refunds($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Refund {
      id createdAt processedAt
      ${pageOf(REFUNDED_LINES, 5)}
      ${pageOf(REFUNDED_SHIPPING, 1)}
      ${pageOf(ADJUSTMENTS, 2)}
      ${pageOf(PAYMENTS, 2)}
    }
  }
}`;

const REST_FIRST = 40;

/** The pages of a list after the first one. */
export function restOf({ of, name, fields, arguments: more = '' }: List): string {
  return `query Rest($id: ID!, $after: String!) {
  node(id: $id) {
    ... on ${of} {
      ${name}(first: ${REST_FIRST}, after: $after${more}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } }
    }
  }
}`;
}
