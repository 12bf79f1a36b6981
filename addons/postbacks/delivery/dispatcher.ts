import {
  correctWaits,
  dispatchers,
  type DeliveryUse,
} from '../../../src/modules/deliveries/index.ts';
import { mailDisabled } from '../postback-mails.ts';
import { attemptsTotal } from '../postback-metrics.ts';
import type { OrderMessage, OrderValues } from '../postback/order-values.ts';
import type { PostbackRow } from '../postback/postback-rows.ts';
import { requestOf, type PostbackTarget } from '../postback/request.ts';
import { decryptSecret } from '../postback/secret.ts';
import { postbackTables } from '../tables.ts';
import { postbackClient } from './client.ts';
import { due, startNext, type DueOrder } from './delivery-rows.ts';

const postbackDeliveries: DeliveryUse<PostbackRow, DueOrder, PostbackTarget> = {
  name: 'postback',
  tables: postbackTables,
  client: postbackClient,
  // A single order is attempted seven times in its first day.
  disableRule: { failures: 5, forMs: 24 * 60 * 60_000 },
  attemptsTotal,
  due,
  targetOf: (site, postback) => ({ ...postback, secret: decryptSecret(site, postback) }),
  requestOf: (site, target, delivery) =>
    requestOf(target, messageOf(delivery), {
      nowMs: site.clock(),
      decimals: site.currency.decimals,
    }),
  /** What has ended lets its order go on: an attempt that is repeated keeps it waiting. */
  async recorded(tx, site, attempts) {
    const byPostback = Map.groupBy(attempts, ({ delivery }) => delivery.receiver);
    for (const [id, all] of byPostback) {
      const orders = all.map(({ delivery }) => delivery.order_id);
      await startNext(tx, id, orders, site.clock());
    }
  },
  disabled: (tx, site, postback) => mailDisabled(tx, site, postback, site.clock()),
  about: ({ id, user_id, url }) => ({ postback: id, affiliate: user_id, host: new URL(url).host }),
  log: {
    failing: (log, key, facts) =>
      log.warn(key, facts, 'postback deliveries fail and will be retried'),
    recovered: (log, key, facts) => log.recovered(key, facts, 'postback deliveries succeed again'),
    disabled: (log, facts) => log.warn(facts, 'postback disabled'),
    interrupted: (log, key, facts) => log.error(key, facts, 'postback deliveries were interrupted'),
    unrecorded: (log, key, facts) =>
      log.error(key, facts, 'results of postback deliveries could not be recorded'),
  },
};

export const dispatcherOf = dispatchers(postbackDeliveries);
export const correctPostbackWaits = correctWaits(postbackDeliveries);

function messageOf({ event_id, event, occurred_at, data }: DueOrder): OrderMessage {
  return {
    eventId: event_id,
    status: event,
    occurredAtMs: occurred_at,
    // Stored by the fan-out.
    values: JSON.parse(data) as OrderValues,
  };
}
