import Type, { type Static } from 'typebox';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Point } from '../../kernel/declare/point.ts';
import { Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { languages } from '../../shared/languages.ts';
import { Currency } from '../../shared/money.ts';
import { cookieDays } from '../clicks/index.ts';
import {
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from '../coupons/index.ts';
import { delayDays } from '../orders/index.ts';
import { registrationsOpen } from '../registrations/index.ts';
import {
  siteLanguage,
  siteName,
  storeCurrency,
  storeTimeZone,
  storeUrl,
} from '../store-profile/index.ts';

/** The minimum amount of a payout, contributed by the module that pays. */
export const payoutMinimum = new Point<(site: Site) => number>('portal.payout-minimum');

const ProgramSchema = Type.Object(
  {
    name: Type.String({ description: 'The name of the store.' }),
    store_url: Type.String({ description: 'The URL of the store.' }),
    currency: Type.String({ description: 'The currency of all amounts, a three-letter code.' }),
    currency_decimals: Type.Integer({
      description: 'Digits after the decimal point: JPY 0, USD 2.',
    }),
    timezone: Type.String({ description: 'The time zone of all days and local times.' }),
    language: StringEnum(languages, {
      description: 'The language of people who have not chosen one.',
    }),
    applications_open: Type.Boolean({ description: 'The program accepts applications.' }),
    commission: Type.Object(
      {
        percent: Type.Number({ description: "Percent of an order's base." }),
        fixed_per_order: Type.Number({ description: 'A fixed amount for each order.' }),
        fixed_per_product: Type.Number({ description: 'A fixed amount for each product.' }),
        hold_days: Type.Integer({
          description: 'How many days a commission is held before it is payable.',
        }),
        cookie_days: Type.Integer({
          description: 'How many days after a click an order is credited to it.',
        }),
      },
      { description: 'The rates of new affiliates. A coupon or a group may have its own rate.' },
    ),
    payout_minimum: Nullable(
      Type.Number({ description: 'Minimum amount of a payout; null without payouts.' }),
    ),
  },
  {
    $id: 'Program',
    examples: [
      {
        name: 'Alpine Goods',
        store_url: 'https://alpine.example',
        currency: 'EUR',
        currency_decimals: 2,
        timezone: 'Europe/Vienna',
        language: 'de',
        applications_open: true,
        commission: {
          percent: 10,
          fixed_per_order: 0,
          fixed_per_product: 0,
          hold_days: 14,
          cookie_days: 30,
        },
        payout_minimum: 50,
      },
    ],
  },
);

export const getProgram = operation({
  method: 'GET',
  namespace: 'store',
  path: '/program',
  summary: 'Get the facts about the program',
  description: 'Public facts for applicants: the store, its currency, its rates.',
  access: 'public',
  scope: null,
  response: ProgramSchema,
  headers: { ETag: 'Send it as If-None-Match to get 304 if nothing has changed.' },
  handle: ({ site }) => rendered(site, 'program', () => program(site)),
});

function program(site: Site): HttpResponse<Static<typeof ProgramSchema>> {
  const { settings, registry } = site;
  const currency = new Currency(settings.get(storeCurrency));
  const [minimum] = registry.contributions(payoutMinimum);
  return new HttpResponse(
    {
      name: settings.get(siteName),
      store_url: settings.get(storeUrl),
      currency: currency.code,
      currency_decimals: currency.decimals,
      timezone: settings.get(storeTimeZone),
      language: settings.get(siteLanguage),
      applications_open: settings.get(registrationsOpen),
      commission: {
        percent: settings.get(commissionPercent),
        fixed_per_order: settings.get(commissionFixedPerOrder),
        fixed_per_product: settings.get(commissionFixedPerProduct),
        hold_days: settings.get(delayDays),
        cookie_days: settings.get(cookieDays),
      },
      payout_minimum: minimum?.(site) ?? null,
    },
    { headers: { 'Content-Type': 'application/json; charset=utf-8' } },
  );
}
