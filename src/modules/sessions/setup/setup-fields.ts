import Type, { type Static } from 'typebox';
import { ApiError } from '../../../kernel/declare/errors.ts';
import { InputReader, invalidParameters } from '../../../kernel/call/parameters.ts';
import type { SettingDefinition } from '../../../kernel/declare/setting.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { siteName, storeCurrency, storeTimeZone, storeUrl } from '../../meta/index.ts';
import { newUserFields, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../users/index.ts';

/** The fields of the form that are settings. */
export const storeFields = {
  store_name: siteName,
  store_url: storeUrl,
  currency: storeCurrency,
  timezone: storeTimeZone,
} satisfies Record<string, SettingDefinition>;

export const SetupSchema = Type.Object({
  store_name: siteName.schema,
  store_url: storeUrl.schema,
  currency: storeCurrency.schema,
  timezone: storeTimeZone.schema,
  ...newUserFields,
  password: Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX }),
});

export type SetupValues = Static<typeof SetupSchema>;
export type SetupField = keyof SetupValues;

const reader = new InputReader({ body: SetupSchema });

/** The message shown next to a faulty field. */
const reasons: Record<SetupField, string> = {
  store_name: 'Enter the name of your store, up to 100 characters.',
  store_url: 'Enter the address of your store, such as https://store.example.',
  currency: 'Choose the currency of your store.',
  timezone: 'Choose the time zone of your store.',
  login: 'Use letters, digits, dot, dash and underscore, up to 60.',
  email: 'Enter an e-mail address, such as you@store.example.',
  password:
    `Use ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters: no common password, no sequence, and ` +
    'no part of your login, your e-mail address or the name of your store.',
};

export type SetupFaults = Partial<Record<SetupField, string>>;

/** Throws one error with all faults. */
export function checkSetup(site: Site, values: SetupValues): void {
  const invalid: Record<string, string> = {};
  for (const [field, setting] of Object.entries<SettingDefinition>(storeFields)) {
    const reason = setting.check?.(values[field as SetupField], site);
    if (reason !== undefined) invalid[field] = reason;
  }
  try {
    reader.read({ params: {}, query: {}, body: values, bodyIsText: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw invalidParameters({ ...paramsOf(error), ...invalid });
  }
  if (Object.keys(invalid).length > 0) throw invalidParameters(invalid);
}

/** Messages by field. */
export function faultsOf(error: ApiError): SetupFaults {
  return Object.fromEntries(
    Object.keys(paramsOf(error))
      .filter((name) => Object.hasOwn(reasons, name))
      .map((name) => [name, reasons[name as SetupField]]),
  );
}

function paramsOf(error: ApiError): Record<string, string> {
  const params = error.data['params'];
  return typeof params === 'object' && params !== null ? (params as Record<string, string>) : {};
}
