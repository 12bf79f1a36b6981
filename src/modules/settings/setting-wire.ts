import Type, { type TObject } from 'typebox';
import type { ActiveDeclarations } from '../../kernel/declare/active-declarations.ts';
import {
  rolesThatMayChange,
  shownValue,
  type SettingDefinition,
} from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** The schema of reading: all active settings as one flat object. */
export function settingsSchema(active: ActiveDeclarations) {
  return Type.Object(mapSettings(active, describeSetting), { $id: 'Settings' });
}

/** The schema of changing: every setting is optional, unknown names are refused. */
export function settingsPatchSchema(active: ActiveDeclarations): TObject {
  const properties = mapSettings(active, (setting) =>
    Type.Optional(
      Type.Unsafe({
        ...setting.schema,
        description: setting.help,
        ...(typeof setting.default === 'string' &&
          setting.default !== '' && { examples: [setting.default] }),
      }),
    ),
  );
  return Type.Object(properties, { $id: 'ChangeSettings', additionalProperties: false });
}

function describeSetting(setting: SettingDefinition) {
  const described = {
    default: setting.default,
    description: setting.help,
    'x-changeable-by': rolesThatMayChange(setting),
  };
  return Object.assign(Type.Unsafe({ ...setting.schema }), described);
}

/** Every active setting with its current value; secrets are masked. */
export function toSettings(site: Site): Record<string, unknown> {
  return mapSettings(site.registry, (setting) => shownValue(setting, site.settings.get(setting)));
}

function mapSettings<T>(active: ActiveDeclarations, map: (setting: SettingDefinition) => T) {
  return Object.fromEntries([...active.settings()].map(([key, setting]) => [key, map(setting)]));
}
