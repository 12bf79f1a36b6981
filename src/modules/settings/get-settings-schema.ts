import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { settingsSchema } from './setting-wire.ts';

const SettingDescription = Type.Object(
  {
    default: Type.Unknown({ description: 'The value where none is set.' }),
    description: Type.String({ description: 'What it is for.' }),
    'x-changeable-by': Type.Array(Type.String(), { description: 'The roles that may change it.' }),
  },
  {
    $id: 'SettingDescription',
    additionalProperties: true,
    description: 'A JSON Schema of the value, with its default and help text.',
  },
);

export const getSettingsSchema = operation({
  method: 'GET',
  namespace: 'store',
  path: '/settings/schema',
  summary: 'Get the type, limits, default and help text of each setting',
  description:
    'A JSON Schema of the object that GET /settings answers; forms are drawn from it. ' +
    'x-changeable-by lists the roles that may change a setting.',
  access: 'admin',
  scope: 'manage',
  response: Type.Object(
    {
      type: Type.Literal('object'),
      required: Type.Array(Type.String()),
      properties: Type.Record(Type.String(), SettingDescription, {
        description: 'By the name of the setting.',
      }),
    },
    { $id: 'SettingsSchema', additionalProperties: true },
  ),
  example: {
    response: {
      type: 'object',
      required: ['commission.percent'],
      properties: {
        'commission.percent': {
          type: 'number',
          minimum: 0,
          maximum: 100,
          default: 10,
          description: 'Percent of the base.',
          'x-changeable-by': ['administrator', 'manager'],
        },
      },
    },
  },
  handle: ({ site }) => settingsSchema(site.registry),
});
