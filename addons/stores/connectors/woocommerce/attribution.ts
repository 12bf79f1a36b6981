import {
  attributionIn,
  fieldsIn,
  firstWithCode,
  type LandingAttribution,
} from '../../mapping/landing.ts';
import type { Json } from '../../mapping/payload.ts';
import type { MappingContext } from '../connector.ts';
import { metaIn } from './payload.ts';

/** The marks of our own links: only with them is `utm_campaign` a code. */
const SOURCE = 'tributary';
const MEDIUM = 'affiliate';

/**
 * WooCommerce remembers the first page of a visit, and a later one only if it has campaign parameters. A campaign of
 * the link itself stays; it then has no `utm_source` of ours, because it is not a code.
 */
export function completeLink(parameters: URLSearchParams, code: string): void {
  const add = (name: string, value: string) => {
    if (!parameters.has(name)) parameters.set(name, value);
  };
  if (!parameters.has('utm_campaign')) add('utm_source', SOURCE);
  add('utm_medium', MEDIUM);
  add('utm_campaign', code);
}

/**
 * The referral link that led to an order. The plugin in the store knows the last one within the attribution window, so
 * it goes first. Without it there is what WooCommerce itself records of the visit: the campaign and the page that the
 * visit began with. A renewal has the meta of the first order of its subscription, and so its affiliate.
 */
export function attributionOf(
  order: Json,
  { codeParameters }: Pick<MappingContext, 'codeParameters'>,
): LandingAttribution {
  return firstWithCode([ofPlugin(order), ofVisit(order, codeParameters)]);
}

function ofPlugin(order: Json): LandingAttribution {
  const meta = (name: string) => metaIn(order, `_tributary_${name}`);
  return fieldsIn(
    [
      ['referral_code', meta('code')],
      ['click_id', meta('click_id')],
      ['visitor', meta('visitor')],
    ],
    [],
  );
}

function ofVisit(order: Json, codeParameters: readonly string[]): LandingAttribution {
  const landing = attributionIn(recorded(order, 'session_entry'), codeParameters);
  const isOurs =
    recorded(order, 'utm_source') === SOURCE && recorded(order, 'utm_medium') === MEDIUM;
  if (!isOurs) return landing;
  const campaign = recorded(order, 'utm_campaign');
  const { referral_code: code } = fieldsIn([['referral_code', campaign]], []);
  if (code === undefined) return landing;
  const isSame = [undefined, code.toLowerCase()].includes(landing.referral_code?.toLowerCase());
  return isSame ? { ...landing, referral_code: code } : { referral_code: code };
}

/** What WooCommerce records of the visit (Settings, Advanced, Features, Order attribution). */
function recorded(order: Json, name: string): unknown {
  return metaIn(order, `_wc_order_attribution_${name}`);
}
