import Type from 'typebox';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { exampleOf } from '../../../src/kernel/present/openapi/examples.ts';
import { CouponCode } from '../../../src/modules/coupons/index.ts';
import { rollBackOrder, TriedOrderSchema } from '../../../src/modules/orders/index.ts';
import type { Verification } from '../connectors/connector.ts';
import { mapWhole } from '../orders/map-order.ts';
import { checkMapping } from '../orders/store-orders.ts';
import { verificationOf, type ConnectedStore } from './open-connection.ts';
import { kindNotLoaded, requireConnection, requireConnector } from './require-connection.ts';

export const testOrderFailed = defineError(
  'svc_api_test_order_failed',
  409,
  'The test order failed.',
);

export const sendTestOrder = operation({
  method: 'POST',
  namespace: 'store',
  path: '/connections/{id}/test-order',
  summary: 'Try an order of a connected store',
  description:
    'Makes a signed delivery as the store would send it, and processes it completely: signature, mapping, attribution, ' +
    'commission. Nothing of it is stored.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The connection.') }),
  body: Type.Object(
    {
      code: CouponCode,
      total: Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000_000,
        default: 100,
        description: 'The amount of the order.',
      }),
    },
    { $id: 'TestStoreOrder' },
  ),
  example: { body: { code: 'MAYA10', total: 125 } },
  response: Type.Object(
    {
      steps: Type.Array(Type.String(), { description: 'The steps, in sentences.' }),
      order: TriedOrderSchema,
    },
    {
      $id: 'TestedStoreOrder',
      examples: [
        {
          steps: [
            'The signature of the delivery is right.',
            'The delivery was mapped to an order of 125 USD with the code MAYA10.',
            'The order is credited to 1 affiliate. Nothing of it was stored.',
          ],
          order: exampleOf(TriedOrderSchema),
        },
      ],
    },
  ),
  errors: [generalErrors.notFound, kindNotLoaded, testOrderFailed],
  check({ total }, errors, { currency }) {
    if (total !== undefined && currency.toMinor(total) === undefined) {
      errors.add('total', `must have at most ${currency.decimals} decimals`);
    }
  },
  // It is rolled back, and the caller gets its result.
  transaction: false,
  async handle({ db, site, caller }, { id, code, total }) {
    const connection = await requireConnection(db, id);
    const store = { site, connector: requireConnector(site, connection), connection };
    const { payload, topic } = deliver(store, { code, total });
    const mapping = mapWhole(store, payload, topic);
    const seen = { mapping, observedAtMs: site.clock(), isRead: false };
    const checked = checkMapping(store, seen);
    if (checked.result !== 'order') {
      throw failure('reason' in checked ? checked.reason : 'It was taken for a deleted order.');
    }
    const order = await rollBackOrder(site, caller, checked.order);
    const credited = order.referrals.length;
    return {
      steps: [
        'The signature of the delivery is right.',
        `The delivery was mapped to an order of ${order.total} ${order.currency} with the code ${code}.`,
        credited === 0
          ? `No affiliate has the code ${code}, so the order is credited to none. Nothing of it was stored.`
          : `The order is credited to ${credited === 1 ? '1 affiliate' : `${credited} affiliates`}. Nothing of it was stored.`,
      ],
      order,
    };
  },
});

/** Makes the delivery and verifies it, as the receiver does. */
function deliver(
  { site, connector, connection }: ConnectedStore,
  order: { code: string; total: number },
): { payload: unknown; topic: string } {
  const verification = usable(verificationOf(site, connection));
  const { code: currency } = site.currency;
  const delivery = connector.exampleDelivery(verification, { ...order, currency });
  const verdict = connector.verify(delivery, verification);
  if (verdict.outcome !== 'genuine') {
    throw failure('reason' in verdict ? verdict.reason : 'It was taken for a ping.');
  }
  return { payload: JSON.parse(delivery.body.toString()) as unknown, topic: verdict.topic };
}

/** Without a secret there is nothing to sign with. */
function usable(verification: Verification): Verification {
  const { secrets, credentials } = verification;
  if (secrets.length === 0 && Object.keys(credentials).length === 0) {
    throw failure('The connection has no secret for deliveries yet.');
  }
  return verification;
}

function failure(reason: string): ApiError {
  return new ApiError(testOrderFailed, {
    message: `The test order failed. ${reason}`,
  });
}
