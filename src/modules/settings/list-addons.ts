import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { disabledAddons } from '../../kernel/declare/switches.ts';

const AddonSchema = Type.Object(
  {
    name: Type.String({ description: 'Its name in the setting addons.disabled.' }),
    summary: Type.String({ description: 'Its features.' }),
    active: Type.Boolean({ description: 'True if it is switched on.' }),
    operations: Type.Integer({ description: 'How many operations it has.' }),
    events: Type.Integer({ description: 'How many kinds of events it has.' }),
    settings: Type.Array(Type.String(), { description: 'The names of its settings.' }),
  },
  { $id: 'AddOn' },
);

export const listAddons = operation({
  method: 'GET',
  namespace: 'store',
  path: '/addons',
  summary: 'List the add-ons of this installation',
  description: 'The setting addons.disabled switches them off and on.',
  access: 'plugin-admin',
  scope: 'manage',
  response: Type.Object(
    {
      edition: StringEnum(['free', 'pro'], { description: 'The edition of this installation.' }),
      fixed: Type.Boolean({
        description: 'True if the configuration sets it, so that it cannot be changed here.',
      }),
      addons: Type.Array(AddonSchema),
    },
    { $id: 'AddOns' },
  ),
  example: {
    response: {
      edition: 'pro',
      fixed: false,
      addons: [
        {
          name: 'webhooks',
          summary: 'Sends events to other services',
          active: true,
          operations: 9,
          events: 3,
          settings: ['webhooks.max'],
        },
      ],
    },
  },
  handle({ site: { registry, edition, settings } }) {
    const off = new Set(settings.get(disabledAddons));
    return {
      edition,
      fixed: settings.isFixed(disabledAddons),
      addons: registry.modules
        .filter(({ addon }) => addon)
        .map((module) => ({
          name: module.name,
          summary: module.summary,
          active: !off.has(module.name),
          operations: module.operations?.length ?? 0,
          events: module.events?.length ?? 0,
          settings: (module.settings ?? []).map(({ key }) => key),
        })),
    };
  },
});
