import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { countConnections, listConnectionRows } from './connection-rows.ts';
import { ConnectionSchema, readConnection } from './connection-wire.ts';

export const listConnections = operation({
  method: 'GET',
  namespace: 'store',
  path: '/connections',
  summary: 'List connected stores',
  description: 'Newest first, without secrets and credentials.',
  access: 'admin',
  scope: 'read',
  query: Type.Object(pageParameters),
  response: Type.Array(ConnectionSchema),
  headers: pageHeaders,
  async handle({ db, site }, input) {
    return collection(input, await countConnections(db, {}), async (slice) => {
      const rows = await listConnectionRows(db, {}, slice);
      return Promise.all(rows.map((row) => readConnection(db, site, row)));
    });
  },
});
