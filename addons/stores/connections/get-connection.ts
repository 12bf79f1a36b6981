import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { ConnectionSchema, readConnection } from './connection-wire.ts';
import { requireConnection } from './require-connection.ts';

export const getConnection = operation({
  method: 'GET',
  namespace: 'store',
  path: '/connections/{id}',
  summary: 'Get a connected store',
  description: 'Without secret and credentials.',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The connection.') }),
  response: ConnectionSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site }, { id }) {
    return readConnection(db, site, await requireConnection(db, id));
  },
});
