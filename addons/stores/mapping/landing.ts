import { isStorable } from '../../../src/shared/storable.ts';
import { textOf as plainTextOf } from './payload.ts';

/** What the address of a landing page says about the referral link that led to it. */
export interface LandingAttribution {
  readonly click_id?: number;
  readonly visitor?: string;
  readonly referral_code?: string;
}

const ADDRESS_LENGTH_MAX = 8_000;
const CLICK_ID = /^[1-9]\d{0,15}$/;
const CODE_LENGTH_MAX = 50;
const VISITOR_LENGTH_MAX = 200;

/**
 * Reads the referral link out of the address of a landing page, whole or relative to the store. `codeParameters` are
 * the names of parameters with a code; the first that is present counts, in any case. A value that an order would
 * refuse is left out, because an invented parameter must not cost the store its order.
 */
export function attributionIn(
  address: unknown,
  codeParameters: readonly string[],
): LandingAttribution {
  if (typeof address !== 'string' || address.length > ADDRESS_LENGTH_MAX) return {};
  const url = URL.parse(address, 'https://store.invalid');
  if (!url) return {};
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, value.trim());
  }
  const click = parameters.get('click_id') ?? '';
  const clickId = CLICK_ID.test(click) ? Number(click) : 0;
  const visitor = textOf(parameters.get('visitor'), VISITOR_LENGTH_MAX);
  const code = codeParameters
    .map((name) => textOf(parameters.get(name.toLowerCase()), CODE_LENGTH_MAX))
    .find((text) => text !== undefined);
  return {
    ...(Number.isSafeInteger(clickId) && clickId > 0 && { click_id: clickId }),
    ...(visitor !== undefined && { visitor }),
    ...(code !== undefined && { referral_code: code }),
  };
}

/**
 * Reads the fields that a checkout stores with an order, such as `tributary.order()` of the script `/t.js` in the
 * attributes of a cart. The code is in `referral_code`, or in a field that is named like a parameter of a link.
 */
export function fieldsIn(
  fields: Iterable<readonly [name: string, value: unknown]>,
  codeParameters: readonly string[],
): LandingAttribution {
  const parameters = new URLSearchParams();
  for (const [name, value] of fields) parameters.append(name, plainTextOf(value) ?? '');
  return attributionIn(`/?${parameters.toString()}`, ['referral_code', ...codeParameters]);
}

/**
 * The first of several sources that has a code, or else the first that has anything. Their values are never mixed: a
 * click of one link and the code of another would credit the order to the wrong affiliate.
 */
export function firstWithCode(sources: readonly LandingAttribution[]): LandingAttribution {
  return (
    sources.find(({ referral_code }) => referral_code !== undefined) ??
    sources.find((source) => Object.keys(source).length > 0) ??
    {}
  );
}

function textOf(value: string | undefined, lengthMax: number): string | undefined {
  const fits =
    value !== undefined && value !== '' && value.length <= lengthMax && isStorable(value);
  return fits ? value : undefined;
}
