import type { Extension } from 'tributary-affiliates/extension';

/**
 * What a site may add without touching the source. Run it with
 *
 *   npm start -- --extensions examples/extension.ts
 */
const extension: Extension = {
  name: 'example',

  /** The document says who to ask. */
  amendOpenApi(document) {
    const info = document['info'] as Record<string, unknown>;
    return { ...document, info: { ...info, contact: { email: 'developers@store.example' } } };
  },

  /** No payouts above 10,000 without a word from accounting. */
  refusePayout({ amount, currency }) {
    return amount > 10_000 ? `Payouts above 10,000 ${currency} go through accounting.` : undefined;
  },

  /** Large orders to another continent are looked at by a person. Needs the add-on review. */
  judgeReferral({ total, country }) {
    const isFar = country === 'AU' || country === 'NZ';
    if (total < 2_000 || !isFar) return undefined;
    return { action: 'hold', reason: `A large order to ${country}.` };
  },

  /** Pays with gift cards from the store's own till. */
  gateways: [
    {
      method_type: 'giftcard',
      label: 'Gift card',
      // The same idempotency key must never issue two cards. Requests that cannot move money, such as a
      // sign-in, belong into `prepare`.
      pay: async ({ idempotency_key }) => ({ status: 'paid', transaction_id: idempotency_key }),
      ask: async ({ idempotency_key }) => ({ status: 'paid', transaction_id: idempotency_key }),
    },
  ],

  /** Every event, in order, at least once. */
  onEvent(event) {
    console.log(`event ${event.id}: ${event.info}`);
  },
};

export default extension;
