import Type, { type Static } from 'typebox';
import { InputReader } from '../../kernel/call/parameters.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import { setupSteps, type SetupField, type SetupStep } from '../../web-contract/page-props.ts';
import { cookieDays } from '../clicks/index.ts';
import { commissionPercent } from '../coupons/index.ts';
import { delayDays } from '../orders/index.ts';
import {
  siteLanguage,
  siteName,
  storeCurrency,
  storeTimeZone,
  storeUrl,
} from '../store-profile/index.ts';
import { newUserFields, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../users/index.ts';

/** The fields of the form that are settings. */
export const storeFields = {
  store_name: siteName,
  store_url: storeUrl,
  language: siteLanguage,
  currency: storeCurrency,
  timezone: storeTimeZone,
  percent: commissionPercent,
  cookie_days: cookieDays,
  hold_days: delayDays,
} satisfies Partial<Record<SetupField, SettingDefinition>>;

const SetupSchema = Type.Object({
  store_name: siteName.schema,
  store_url: storeUrl.schema,
  language: siteLanguage.schema,
  currency: storeCurrency.schema,
  timezone: storeTimeZone.schema,
  percent: commissionPercent.schema,
  cookie_days: cookieDays.schema,
  hold_days: delayDays.schema,
  ...newUserFields,
  password: Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX }),
});

/** What was typed, and what it means. */
export type SetupTexts = Record<SetupField, string>;
export type SetupValues = Static<typeof SetupSchema>;

export const setupFields = Object.values(setupSteps).flat();

const reader = new InputReader({ body: SetupSchema });

/** The invalid fields, or the values if there are none. */
export function readSetup(
  site: Site,
  texts: SetupTexts,
): { values: SetupValues } | { errors: readonly SetupField[] } {
  const refused = Object.entries<SettingDefinition>(storeFields)
    .filter(([field, setting]) => setting.check?.(texts[field as SetupField], site) !== undefined)
    .map(([field]) => field);
  try {
    const raw = { params: {}, query: {}, body: texts, bodyIsText: true };
    const values = reader.read(raw, (_, errors) =>
      refused.forEach((field) => errors.add(field, 'is refused')),
    );
    // The reader has validated the input with the schema.
    return { values: values as SetupValues };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const named = Object.keys(error.data['params'] as object);
    return { errors: setupFields.filter((field) => named.includes(field)) };
  }
}

/** The first step with one of these errors. */
export function stepOf(errors: readonly SetupField[]): SetupStep {
  // The keys of the record are the steps.
  const names = Object.keys(setupSteps) as SetupStep[];
  return names.find((name) => errorsIn(name, errors).length > 0) ?? 'you';
}

export function errorsIn(step: SetupStep, errors: readonly SetupField[]): SetupField[] {
  return setupSteps[step].filter((field) => errors.includes(field));
}

/** As long as most stores accept returns. Without a hold, commissions of returned orders are paid. */
const HOLD_DAYS_SUGGESTED = '14';

/** Before anything is typed: stored or configured values, or a suggestion. */
export function firstTexts({ settings }: Site, language: Language): SetupTexts {
  const decided = (setting: SettingDefinition) => {
    const value = settings.isFixed(setting) ? settings.get(setting) : settings.stored(setting);
    return value === undefined ? undefined : String(value);
  };
  return {
    store_name: decided(siteName) ?? '',
    store_url: decided(storeUrl) ?? '',
    language: decided(siteLanguage) ?? language,
    // Not suggested, because it cannot change once amounts are stored.
    currency: decided(storeCurrency) ?? '',
    timezone: decided(storeTimeZone) ?? ownTimeZone(),
    percent: String(settings.get(commissionPercent)),
    cookie_days: String(settings.get(cookieDays)),
    hold_days: decided(delayDays) ?? HOLD_DAYS_SUGGESTED,
    login: 'admin',
    email: '',
    password: '',
  };
}

/** Trims spaces from pasting, except in the password, where they may be intended. */
export function cleaned(typed: Partial<SetupTexts>): Partial<SetupTexts> {
  const { password, percent, store_url: url, ...others } = typed;
  const trimmed = Object.entries(others).map(([name, text]) => [name, text.trim()]);
  return {
    ...(Object.fromEntries(trimmed) as typeof others),
    ...(url !== undefined && { store_url: withScheme(url.trim()) }),
    // "12,5" is how most of Europe writes it.
    ...(percent !== undefined && { percent: percent.trim().replace(',', '.') }),
    ...(password !== undefined && { password }),
  };
}

/** People type the address of their store without its beginning. */
const withScheme = (url: string) => (/^$|^[a-z]+:/i.test(url) ? url : `https://${url}`);

export const timeZones: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

/** The time zone of this machine, if it is in the list. */
export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZones.includes(timeZone) ? timeZone : 'UTC';
}

/** Accepts any text, so that a browser gets the page with messages instead of a JSON error. */
const field = Type.Optional(Type.String({ maxLength: 5000 }));

/** The fields of all pages. One that is not sent keeps what was typed before. */
export const setupInput = {
  token: Type.String({ default: '', maxLength: 5000 }),
  store_name: field,
  store_url: field,
  language: field,
  currency: field,
  timezone: field,
  percent: field,
  cookie_days: field,
  hold_days: field,
  login: field,
  email: field,
  password: field,
};
