import Type from 'typebox';
import { defineManagerSetting, inGroup } from '../../kernel/declare/setting.ts';
import { attributionGroup } from '../../kernel/declare/setting-groups.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { attributionParameter } from '../coupons/index.ts';

export const cookieDays = defineManagerSetting(
  'attribution.cookie_days',
  Type.Integer({ minimum: 1, maximum: 3650 }),
  30,
  'Number of days after a click within which an order is credited to it.',
);

export const DAY_MS = 24 * 60 * 60_000;

/** Parameters that this service reads from a link or adds to the landing page URL. */
export const OWN_PARAMETERS: readonly string[] = ['to', 'campaign', 'visitor', 'click_id'];

export const codeParameters = defineManagerSetting(
  'attribution.code_parameters',
  Type.Array(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$' }), {
    maxItems: 10,
    uniqueItems: true,
  }),
  ['ref'],
  'Parameters of store URLs that may contain the coupon code, beside `attribution.parameter`. Add those of the ' +
    'system that you used before (`via`, `fpr`, `aff`), so that its links keep working.',
  (names) => {
    const reserved = names.find((name) => OWN_PARAMETERS.includes(name));
    return reserved === undefined ? undefined : `"${reserved}" has another meaning in links`;
  },
);

/** The parameters of a store URL that may contain a coupon code. The first that is present counts. */
export function codeParametersOf(site: Site): string[] {
  const { settings } = site;
  return [...new Set([settings.get(attributionParameter), ...settings.get(codeParameters)])];
}

export const clickSettings = inGroup(attributionGroup, {
  'Days that a click counts': cookieDays,
  'Parameters of older links': codeParameters,
});
