import Type from 'typebox';
import { operation } from '../../kernel/operation.ts';
import { settingsSchema } from './setting-wire.ts';

export const getSettingsSchema = operation({
  method: 'GET',
  namespace: 'store',
  path: '/settings/schema',
  summary: 'What can be set: types, limits, defaults and help texts',
  description:
    'A JSON Schema of the object that GET /settings answers; forms are drawn from it. ' +
    'x-changeable-by lists the roles that may change a setting.',
  access: 'admin',
  scope: 'manage',
  response: Type.Object({}, { additionalProperties: true }),
  handle: ({ site }) => settingsSchema(site.registry),
});
