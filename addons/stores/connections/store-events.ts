import Type from 'typebox';
import { defineEvent } from '../../../src/kernel/declare/event.ts';

const which = {
  connection_id: Type.Integer({ description: 'The connection.' }),
  kind: Type.String({ description: 'The kind of store.' }),
};
const Reason = Type.String({ description: 'The problem, in a sentence.' });

export const storeConnected = defineEvent(
  'store.connected',
  'A store was connected.',
  Type.Object(which),
  {
    id: 140,
    timestamp: '2026-02-24T09:12:40.118Z',
    data: { connection_id: 3, kind: 'woocommerce' },
  },
  'store_connection',
);

export const storeDegraded = defineEvent(
  'store.degraded',
  'A connected store stopped answering, refused its credentials, or disabled its webhooks.',
  Type.Object({ ...which, reason: Reason }),
  {
    id: 141,
    timestamp: '2026-02-25T02:40:11.630Z',
    data: { connection_id: 3, kind: 'woocommerce', reason: 'The store answered 502.' },
  },
  'store_connection',
);

export const storeRecovered = defineEvent(
  'store.recovered',
  'A connected store works again. What was missed in the meantime is read from the store.',
  Type.Object(which),
  {
    id: 142,
    timestamp: '2026-02-25T05:55:02.904Z',
    data: { connection_id: 3, kind: 'woocommerce' },
  },
  'store_connection',
);

export const storeDisconnected = defineEvent(
  'store.disconnected',
  'The connection to a store was deleted. Its orders stay.',
  Type.Object(which),
  {
    id: 143,
    timestamp: '2026-02-27T16:03:27.251Z',
    data: { connection_id: 3, kind: 'woocommerce' },
  },
  'store_connection',
);

export const storeEvents = [storeConnected, storeDegraded, storeRecovered, storeDisconnected];
