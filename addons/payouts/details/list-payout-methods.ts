import Type from 'typebox';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { autoAccept, detailsHoldHours, enabledMethodsOf, invoiceMethods } from '../settings.ts';

const MethodSchema = Type.Object(
  {
    method_type: Type.String({ description: 'The identifier of the payout method.' }),
    method: Type.String({ description: 'The display name of the payout method.' }),
    invoice_required: Type.Boolean({
      description: 'Payouts by this method need an invoice, so they cannot be requested here.',
    }),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The JSON Schema of `details` in `PUT /affiliates/{id}/payout-details`.',
    }),
  },
  { $id: 'PayoutMethod' },
);

export const listPayoutMethods = operation({
  method: 'GET',
  namespace: 'store',
  path: '/payout-methods',
  summary: 'The payout methods that affiliates can choose',
  description: 'The setting payouts.methods enables them. Each names the details that it needs.',
  access: 'user',
  scope: 'read',
  response: Type.Object(
    {
      review_hours: Type.Integer({
        description:
          'Hours after a change of payout details during which payouts wait for a review; 0 if every payout ' +
          'waits for one anyway.',
      }),
      methods: Type.Array(MethodSchema),
    },
    {
      $id: 'PayoutMethods',
      examples: [
        {
          review_hours: 24,
          methods: [
            {
              method_type: 'paypal',
              method: 'PayPal',
              invoice_required: false,
              details: {
                type: 'object',
                required: ['email'],
                properties: { email: { type: 'string' } },
              },
            },
          ],
        },
      ],
    },
  ),
  handle({ site }) {
    const { settings } = site;
    const withInvoice = settings.get(invoiceMethods);
    return {
      review_hours: settings.get(autoAccept) ? settings.get(detailsHoldHours) : 0,
      methods: enabledMethodsOf(site).map(({ type, label, details }) => ({
        method_type: type,
        method: label,
        invoice_required: withInvoice.includes(type),
        details: { ...details },
      })),
    };
  },
});
