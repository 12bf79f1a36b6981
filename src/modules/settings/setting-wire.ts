import Type, { type TObject } from 'typebox';
import type { Reader } from '../../db/database.ts';
import type { ActiveDeclarations } from '../../kernel/declare/active-declarations.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { otherGroup } from '../../kernel/declare/setting-groups.ts';
import {
  fits,
  rolesThatMayChange,
  shownValue,
  type SettingGroup,
  type SettingDefinition,
} from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { loadVersion, type StoredSettings } from './setting-rows.ts';
import { settingsTag } from './settings-version.ts';

/** The schema of reading: all active settings as one flat object. */
export function settingsSchema(active: ActiveDeclarations) {
  return Type.Object(mapSettings(active, describeSetting), { $id: 'Settings' });
}

/** The groups of the active settings, in the order in which a form shows them. */
export function settingGroups(active: ActiveDeclarations): SettingGroup[] {
  const groups = [...active.settings().values()].map(({ group }) => group ?? otherGroup);
  const byName = new Map(groups.map((group) => [group.name, group]));
  return [...byName.values()].sort((a, b) => a.position - b.position);
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
    'x-group': (setting.group ?? otherGroup).name,
    ...(setting.title !== undefined && { title: setting.title }),
    ...(setting.isHidden && { 'x-hidden': true }),
    ...(setting.secret && { writeOnly: true }),
  };
  return Object.assign(Type.Unsafe({ ...setting.schema }), described);
}

/** Every active setting with its stored value; secrets are masked. */
function toSettings(site: Site, { values }: StoredSettings): Record<string, unknown> {
  return mapSettings(site.registry, (setting) =>
    shownValue(setting, currentValue(site, setting, values)),
  );
}

/** Read from the database, because another process may have changed it; the configuration wins. */
export function currentValue(
  site: Site,
  setting: SettingDefinition,
  stored: StoredSettings['values'],
): unknown {
  if (site.settings.isFixed(setting)) return site.settings.get(setting);
  const value = stored.get(setting.key);
  return value !== undefined && fits(setting, value) ? value : setting.default;
}

/** The settings with the tag of their version. */
export async function answerSettings(
  db: Reader,
  site: Site,
): Promise<HttpResponse<Record<string, unknown>>> {
  const stored = await loadVersion(db, site);
  const shown = toSettings(site, stored);
  return new HttpResponse(shown, { headers: { ETag: settingsTag(stored.version, shown) } });
}

function mapSettings<T>(active: ActiveDeclarations, map: (setting: SettingDefinition) => T) {
  return Object.fromEntries([...active.settings()].map(([key, setting]) => [key, map(setting)]));
}
