import Type from 'typebox';
import { attributionGroup } from '../../kernel/declare/setting-groups.ts';
import { defineManagerSetting, defineMoneySetting, inGroup } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { attributionParameter } from '../coupons/index.ts';
import { subNames, type SubName } from './sub-names.ts';

export const cookieDays = defineMoneySetting(
  'attribution.cookie_days',
  Type.Integer({ minimum: 1, maximum: 3650 }),
  30,
  'Number of days after a click within which an order is credited to it.',
);

/** Parameters that this service reads from a link or adds to the landing page URL. */
export const OWN_PARAMETERS: readonly string[] = [
  'to',
  'campaign',
  'visitor',
  'click_id',
  'creative',
  ...subNames,
];

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
    return reservedReason(names);
  },
);

function reservedReason(names: readonly string[]): string | undefined {
  const reserved = names.find((name) => OWN_PARAMETERS.includes(name));
  return reserved === undefined ? undefined : `"${reserved}" has another meaning in links`;
}

export const subParameters = defineManagerSetting(
  'attribution.sub_parameters',
  Type.Array(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}=sub[1-5]$' }), {
    maxItems: 20,
    uniqueItems: true,
  }),
  [],
  'Other names of the sub-ids in links, such as `subid=sub1` and `aff_sub2=sub2`, so that links of other systems ' +
    'keep working.',
  (aliases) => reservedReason(aliases.map((alias) => alias.split('=', 1)[0]!)),
);

type SubParameter = readonly [parameter: string, field: SubName];

/** The parameters of a link that hold sub-ids. The first valid one of a field counts. */
export function subParametersOf(site: Site): readonly SubParameter[] {
  const aliases = site.settings.get(subParameters);
  return aliases.length === 0 ? OWN_SUBS : [...OWN_SUBS, ...aliases.map(toParameter)];
}

const OWN_SUBS = subNames.map((name) => [name, name] as const);

function toParameter(alias: string): SubParameter {
  const [parameter = '', field] = alias.split('=', 2);
  // The schema of the setting allows no other.
  return [parameter, field as SubName];
}

/** The parameters of a store URL that may contain a coupon code. The first that is present counts. */
export function codeParametersOf(site: Site): string[] {
  const { settings } = site;
  return [...new Set([settings.get(attributionParameter), ...settings.get(codeParameters)])];
}

export const clickSettings = inGroup(attributionGroup, {
  'Days that a click counts': cookieDays,
  'Parameters of older links': codeParameters,
  'Other names of sub-ids': subParameters,
});
