import { isPluginAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { SECRET_MASK } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { NewValue } from './store-settings.ts';

/** Adds the errors of values that a schema cannot express. */
export function checkValues(
  input: Record<string, unknown>,
  { invalid }: FieldErrors,
  site: Site,
): void {
  for (const { setting, value } of withoutMasks(site, input)) {
    const reason = site.settings.isFixed(setting)
      ? 'is set by the configuration and cannot be changed here'
      : setting.check?.(value, site);
    if (reason !== undefined) invalid[setting.key] = reason;
  }
}

/** Reading the settings returns a mask for a secret; sending the mask back does not change the secret. */
export function withoutMasks(site: Site, input: Record<string, unknown>): NewValue[] {
  return Object.entries(input)
    .map(([key, value]) => ({ setting: site.registry.settings().get(key)!, value }))
    .filter(({ setting, value }) => !(setting.secret && value === SECRET_MASK));
}

export function refuseWhatCallerMayNotChange(caller: Caller, asked: NewValue[]): void {
  if (isPluginAdmin(caller)) return;
  const keys = asked
    .filter(({ setting }) => !setting.managersMayChange)
    .map(({ setting }) => setting.key);
  if (keys.length === 0) return;
  throw new ApiError(generalErrors.forbidden, {
    message: `Only administrators may change ${keys.join(', ')}.`,
    data: { params: Object.fromEntries(keys.map((key) => [key, 'is for administrators only'])) },
  });
}
