import Type from 'typebox';
import { generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { findRegistration } from './registration-rows.ts';
import { RegistrationSchema, toRegistration } from './registration-wire.ts';

export const getRegistration = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/registrations/{id}',
  summary: 'Get an application',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The application.') }),
  response: RegistrationSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    const row = requireFound(await findRegistration(db, id));
    return toRegistration(row, site, caller);
  },
});
