import Type from 'typebox';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { attributionParameter } from '../coupons/index.ts';
import { storeUrl } from '../store-profile/index.ts';
import { findClickable } from './click-rows.ts';
import { campaignOf } from './click.ts';
import { completeLink } from './link-parameters.ts';
import { cookieDays, OWN_PARAMETERS } from './settings.ts';
import { sourceIn } from './source.ts';
import { mayCount, recordVisit } from './visit.ts';
import { cookieIn, newCookie, visitorCookie, visitorOf } from './visitor-cookie.ts';

export const followLink = operation({
  method: 'GET',
  namespace: 'site',
  path: '/r/{code}',
  summary: 'Follow a referral link: record the click and redirect to the store',
  description:
    'The landing page URL gets the coupon code (in the parameter that `attribution.parameter` ' +
    'names), `click_id`, `visitor`, and up to 4,000 characters of the other parameters of the link. If a connected ' +
    'store reads campaigns (WooCommerce), it also gets `utm_source=tributary`, `utm_medium=affiliate` and ' +
    '`utm_campaign` with the code, unless the link has its own. ' +
    'The store sends `click_id` or `visitor` with the order. `sub1` to `sub5` and `creative` are kept with the click ' +
    'and its order, and are not passed on; a value that is not valid or looks like an email address is ignored. A visitor who follows links to the same coupon again ' +
    'within an hour gets the `click_id` of the first click. Bots and prefetches are redirected and not counted.',
  access: 'public',
  scope: null,
  unlimited: true,
  params: Type.Object({ code: Type.String() }),
  // Any value is accepted: even a malformed link must take the visitor to the store.
  query: Type.Object({
    campaign: Type.Optional(Type.Unknown()),
    to: Type.Optional(Type.Unknown()),
  }),
  status: 302,
  response: Type.String(),
  async handle({ db, site, request, nowMs }, { code, campaign: named, to }) {
    const landing = landingAt(storeOf(site), to);
    const parameter = site.settings.get(attributionParameter);
    const parameters = new URLSearchParams(landing.search);
    const given = new URLSearchParams(request.search);
    const source = sourceIn(site, (name) => given.get(name));
    addOthers(parameters, given, parameter);
    const coupon = await findClickable(db, { code });
    if (!coupon) return redirect(landing, parameters);

    const campaign = campaignOf(named);
    const known = cookieIn(request);
    const cookie = known ?? newCookie();
    const visitor = visitorOf(site, cookie);
    const isReturning = known !== undefined;
    const origin = {
      referrer: request.referrer,
      search: `${request.search}&${landing.search.slice(1)}`,
      network: request.network,
    };
    const visit = { code, campaign, visitor, path: landing.pathname, isReturning, origin, source };
    const clickId = (await mayCount(site, request, { visitor, couponId: coupon.id }))
      ? await recordVisit(site, visit, nowMs)
      : undefined;
    const isRecorded = clickId !== undefined;
    // The code is set after these, so that it wins if the store named its parameter like one of them.
    if (campaign !== '') parameters.set('campaign', campaign);
    set(parameters, 'visitor', isRecorded || isReturning ? visitor : undefined);
    set(parameters, 'click_id', clickId?.toString());
    parameters.set(parameter, coupon.code);
    await completeLink(db, site, parameters, coupon.code);
    return redirect(
      landing,
      parameters,
      isRecorded ? visitorCookie(cookie, site.settings.get(cookieDays), request.secure) : undefined,
    );
  },
});

function storeOf(site: Site): URL {
  return URL.parse(site.settings.get(storeUrl)) ?? new URL(site.publicUrl);
}

/** Length when encoded. Stores and proxies refuse longer URLs, which would lose the click. */
const OTHERS_LENGTH_MAX = 4_000;

/** Passes the other parameters of the link on to the store, such as those of ad and mail campaigns. */
function addOthers(parameters: URLSearchParams, given: URLSearchParams, parameter: string): void {
  for (const name of [parameter, ...OWN_PARAMETERS]) given.delete(name);
  if (given.toString().length > OTHERS_LENGTH_MAX) return;
  for (const [name, value] of given) parameters.append(name, value);
}

/** Removes the parameter if it has no value, so that the store never reads one invented by a link. */
function set(parameters: URLSearchParams, name: string, value: string | undefined): void {
  if (value === undefined) parameters.delete(name);
  else parameters.set(name, value);
}

function redirect(
  landing: URL,
  parameters: URLSearchParams,
  cookie?: string,
): HttpResponse<string> {
  // Set once: a URL serialises and parses its whole query for each changed parameter.
  landing.search = parameters.toString();
  return new HttpResponse('', {
    headers: {
      Location: landing.href,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(cookie !== undefined && { 'Set-Cookie': cookie }),
    },
  });
}

/** No `//` or `/\` at the start, which browsers treat as another host; no invisible characters. */
const OWN_PATH = /^\/(?![/\\])[^\\\s\p{C}]*$/u;

/**
 * The landing page of a referral link: a path of the store, or its front page. A path that could
 * lead to another host is ignored.
 * @internal
 */
export function landingAt(store: URL, path: unknown): URL {
  const front = new URL(store);
  if (typeof path !== 'string' || !OWN_PATH.test(path)) return front;
  const landing = URL.parse(path, store);
  return landing?.host === store.host && landing.protocol === store.protocol ? landing : front;
}
