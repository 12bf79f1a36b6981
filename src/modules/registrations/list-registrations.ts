import Type from 'typebox';
import { collection, pageHeaders } from '../../kernel/cache/collection.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { countRegistrations, listRegistrationRows } from './registration-rows.ts';
import { RegistrationSchema, toRegistration } from './registration-wire.ts';
import { registrationStatuses } from './tables.ts';

export const listRegistrations = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/registrations',
  summary: 'List affiliate applications',
  description: 'Newest first.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    status: Type.Optional(
      StringEnum(registrationStatuses, { description: 'Only applications with this status.' }),
    ),
    user_id: Type.Optional(Id('Only applications of this user.')),
    ...pageParameters,
  }),
  response: Type.Array(RegistrationSchema),
  headers: pageHeaders,
  async handle({ db, site, caller }, input) {
    const filter = { status: input.status, user_id: input.user_id };
    return collection(input, await countRegistrations(db, filter), async (slice) => {
      const rows = await listRegistrationRows(db, filter, slice);
      return rows.map((row) => toRegistration(row, site, caller));
    });
  },
});
