import Type, { type Static } from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { lastOrder } from '../postback/last-order.ts';
import { requestOf, type PostbackTarget } from '../postback/request.ts';
import { methods } from '../tables.ts';

export const PostbackPreviewSchema = Type.Object(
  {
    method: StringEnum(methods, { description: 'The method.' }),
    url: Type.String({ description: 'The URL with the values of the order.' }),
    headers: Type.Record(Type.String(), Type.String(), { description: 'The headers.' }),
    body: Nullable(Type.String({ description: 'The body; null without one.' })),
    order_id: Nullable(
      Type.Integer({ description: 'The order; null if the values are an example.' }),
    ),
  },
  {
    $id: 'PostbackPreview',
    examples: [
      {
        method: 'GET',
        url: 'https://tracker.example/postback?cid=blog&status=granted&payout=12.50',
        headers: { 'user-agent': 'Tributary-Postbacks/1' },
        body: null,
        order_id: 1042,
      },
    ],
  },
);

/** The exact request for the last order. Its signature needs a secret, which a new postback has not yet. */
export async function previewOf(
  db: Reader,
  site: Site,
  userId: number,
  target: PostbackTarget,
  nowMs: number,
): Promise<Static<typeof PostbackPreviewSchema>> {
  const { message, isExample } = await lastOrder(db, site, userId, nowMs);
  const { decimals } = site.currency;
  const { method, url, headers, ...rest } = requestOf(target, message, { nowMs, decimals });
  const isSigned = target.format === 'macros' || target.secret !== '';
  return {
    method,
    url: url.href,
    headers: isSigned ? headers : { ...headers, 'webhook-signature': 'v1,…' },
    body: rest.body ?? null,
    order_id: isExample ? null : message.values.order,
  };
}
