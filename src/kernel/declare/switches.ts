import Type from 'typebox';
import { didYouMean } from '../../shared/nearest.ts';
import { defineSetting, type SettingDefinition } from './setting.ts';
import type { Site } from './site.ts';

const Names = Type.Array(Type.String({ maxLength: 100 }), { uniqueItems: true, maxItems: 400 });

/** The operations that a site has switched off. The registry applies this setting. */
export const disabledEndpoints = defineSetting(
  'api.disabled_endpoints',
  Names,
  [],
  'Operations that are switched off, by operation id (get_keys); in the store namespace with its ' +
    'prefix (store:get_settings). They answer like an unknown path and leave the OpenAPI document.',
  (names, { registry }) =>
    unknownIn(
      names,
      registry.allOperations().map((op) => op.switchName),
    ),
);

/** The add-ons that a site has switched off. The registry applies this setting. */
export const disabledAddons: SettingDefinition<typeof Names> = {
  ...defineSetting(
    'addons.disabled',
    Names,
    [],
    'Add-ons that are switched off: their routes, events and settings are gone.',
    (names, site) => unknownIn(names, addonNames(site)),
  ),
  choices: addonNames,
};

function addonNames({ registry }: Site): string[] {
  return registry.modules.filter((module) => module.addon).map((module) => module.name);
}

/** The error for the first unknown name; it completes the sentence "the setting …". */
export function unknownIn(names: string[], known: string[]): string | undefined {
  const unknown = names.find((name) => !known.includes(name));
  return unknown && `holds "${unknown}", which does not exist.${didYouMean(unknown, known)}`;
}
