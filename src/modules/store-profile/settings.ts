import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { query, type Query } from '../../db/statements/query.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { defineEffect } from '../../kernel/declare/setting-effect.ts';
import { brandGroup, pagesGroup, storeGroup } from '../../kernel/declare/setting-groups.ts';
import {
  defineManagerSetting,
  defineSetting,
  inGroup,
  type SettingDefinition,
} from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { isTimeZone } from '../../shared/dates.ts';
import { languages, type Language } from '../../shared/languages.ts';
import { isCurrencyCode } from '../../shared/money.ts';
import { textIn } from '../../shared/texts.ts';
import { affiliateWords } from '../../web-contract/affiliate-words.ts';

const Code = Type.String({ pattern: '^[A-Z]{3}$' });
const Zone = Type.String({ minLength: 1, maxLength: 64 });

export const siteName = defineManagerSetting(
  'site.name',
  Type.String({ minLength: 1, maxLength: 100 }),
  'My store',
  'The name of the store, shown on pages and in emails.',
);

export const storeUrl = defineManagerSetting(
  'site.store_url',
  Type.String({ pattern: '^https?://[^\\s"<>]+$', maxLength: 2048 }),
  'https://store.example',
  'The URL of the store.',
);

export const storeCurrency: SettingDefinition<typeof Code> = {
  ...defineSetting(
    'site.currency',
    Code,
    'USD',
    "The store's currency as a three-letter code. It cannot be changed once amounts are recorded.",
    (value) => (isCurrencyCode(value) ? undefined : 'must be a currency code like EUR'),
  ),
  refuseChange: async (db) =>
    (await hasAmounts(db))
      ? 'cannot be changed: amounts are already recorded in the current currency'
      : undefined,
};

export const storeTimeZone: SettingDefinition<typeof Zone> = {
  ...defineSetting(
    'site.timezone',
    Zone,
    'UTC',
    "The store's time zone, such as Europe/Berlin. It cannot be changed once orders or clicks are recorded.",
    (value) => (isTimeZone(value) ? undefined : 'must be a time zone like Europe/Berlin'),
  ),
  refuseChange: async (db) =>
    (await anyOf(db, days))
      ? 'cannot be changed: orders and clicks are already counted by day in the current time zone'
      : undefined,
};

/** The language of mails to the store, and of people that have not chosen one. */
export const siteLanguage = defineManagerSetting(
  'site.language',
  StringEnum(languages),
  'en',
  'The language of emails and pages for people who have not chosen one.',
);

/** See `affiliateWordsIn`. */
export const affiliateWord = defineManagerSetting(
  'site.affiliate_word',
  StringEnum(affiliateWords),
  'affiliate',
  'The word for affiliates on pages and in emails.',
);

/** The values of `{affiliate}` and `{affiliates}` in texts. */
export function affiliateWordsIn({ settings }: Pick<Site, 'settings'>, language: Language) {
  const word = settings.get(affiliateWord);
  return {
    affiliate: textIn(language, `program.${word}.one`),
    affiliates: textIn(language, `program.${word}.other`),
  };
}

/** Modules list the operations of their pages under this setting in `switches`. */
export const webEnabled = defineSetting(
  'web.enabled',
  Type.Boolean(),
  true,
  'Serves the portal and the public pages. Without them, only the APIs and the API reference remain.',
);

export const webEffect = defineEffect(webEnabled, ({ after }) =>
  after
    ? { text: 'The portal, the console and the public pages are served again.' }
    : {
        text: 'The portal, this console and the public pages go offline immediately. Only the API or the command line can bring them back.',
      },
);

export const storeSettings = [
  ...inGroup(storeGroup, {
    'Name of the store': siteName,
    'Address of the store': storeUrl,
    Currency: storeCurrency,
    'Time zone': storeTimeZone,
    Language: siteLanguage,
  }),
  ...inGroup(brandGroup, { 'Word for affiliates': affiliateWord }),
  ...inGroup(pagesGroup, { 'Portal, console and public pages': webEnabled }),
];

const amounts = [
  query<object, { found: number }>((db) =>
    db.selectFrom('orders').select('order_id as found').limit(1),
  ),
  query<object, { found: number }>((db) => db.selectFrom('ledger').select('id as found').limit(1)),
  query<object, { found: number }>((db) =>
    db
      .selectFrom('groups')
      .select('id as found')
      .where((eb) =>
        eb.or([eb('fixed_per_order', 'is not', null), eb('fixed_per_product', 'is not', null)]),
      )
      .limit(1),
  ),
  query<object, { found: number }>((db) =>
    db
      .selectFrom('coupons')
      .select('id as found')
      .where((eb) =>
        eb.or([eb('fixed_per_order', 'is not', null), eb('fixed_per_product', 'is not', null)]),
      )
      .limit(1),
  ),
];

const days = [
  amounts[0]!,
  query<object, { found: number }>((db) => db.selectFrom('clicks').select('id as found').limit(1)),
];

/** Amounts are stored in the smallest unit of the currency and would change with another one. */
export function hasAmounts(db: Reader): Promise<boolean> {
  return anyOf(db, amounts);
}

async function anyOf(
  db: Reader,
  queries: readonly Query<object, { found: number }>[],
): Promise<boolean> {
  for (const one of queries) if (await db.first(one, {})) return true;
  return false;
}
