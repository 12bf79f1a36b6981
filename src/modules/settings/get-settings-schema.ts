import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { settingGroups, settingsSchema } from './setting-wire.ts';

const SettingDescription = Type.Object(
  {
    default: Type.Unknown({ description: 'The value where none is set.' }),
    description: Type.String({ description: 'Its purpose.' }),
    title: Type.Optional(Type.String({ description: 'Its label in a form.' })),
    'x-changeable-by': Type.Array(Type.String(), { description: 'The roles that may change it.' }),
    'x-group': Type.String({ description: 'The name of its group.' }),
    'x-hidden': Type.Optional(
      Type.Boolean({ description: 'True if screens keep something in it: forms leave it out.' }),
    ),
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
    'x-changeable-by lists the roles that may change a setting, x-group is the part of the form.',
  access: 'admin',
  scope: 'manage',
  response: Type.Object(
    {
      type: Type.Literal('object'),
      required: Type.Array(Type.String()),
      properties: Type.Record(Type.String(), SettingDescription, {
        description: 'By the name of the setting.',
      }),
      'x-choices': Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'By the name of a setting that is a list: what it may hold on this site.',
      }),
      'x-fixed': Type.Array(Type.String(), {
        description: 'The settings that the configuration decides, which cannot be changed here.',
      }),
      'x-groups': Type.Array(
        Type.Object({ name: Type.String(), title: Type.String() }, { $id: 'SettingGroup' }),
        { description: 'The groups, in the order in which a form shows them.' },
      ),
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
          title: 'Commission in percent',
          'x-changeable-by': ['administrator', 'manager'],
          'x-group': 'commission',
        },
      },
      'x-choices': { 'payouts.methods': ['banktransfer', 'credit'] },
      'x-fixed': [],
      'x-groups': [{ name: 'commission', title: 'Commission' }],
    },
  },
  handle: ({ site }) => ({
    ...settingsSchema(site.registry),
    'x-choices': Object.fromEntries(
      [...site.registry.settings().values()].flatMap(({ key, choices }) =>
        choices ? [[key, [...choices(site)]]] : [],
      ),
    ),
    'x-fixed': [...site.registry.settings().values()]
      .filter((setting) => site.settings.isFixed(setting))
      .map(({ key }) => key),
    'x-groups': settingGroups(site.registry).map(({ name, title }) => ({ name, title })),
  }),
});
