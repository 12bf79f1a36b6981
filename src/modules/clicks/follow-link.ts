import Type from 'typebox';
import { Answer, operation, type RequestFacts } from '../../kernel/operation.ts';
import type { Site } from '../../kernel/site.ts';
import { isStorable } from '../../shared/storable.ts';
import { attributionParameter } from '../coupons/index.ts';
import { storeUrl } from '../meta/index.ts';
import { findClickable, insertClick } from './click-store.ts';
import { CAMPAIGN_LENGTH_MAX, CAMPAIGN_PATTERN, toClick } from './click.ts';
import { landingAt } from './landing.ts';
import { takeFromRecordingLimit } from './recording-limit.ts';
import { cookieDays } from './settings.ts';
import { visitorCookie, visitorOf } from './visitor-cookie.ts';

export const followLink = operation({
  method: 'GET',
  namespace: 'site',
  path: '/r/{code}',
  summary: 'A referral link: records the click and leads to the store',
  access: 'public',
  scope: null,
  unlimited: true,
  params: Type.Object({ code: Type.String() }),
  // Anything: who follows a link is led to the store, however it was written.
  query: Type.Object({
    campaign: Type.Optional(Type.Unknown()),
    to: Type.Optional(Type.Unknown()),
  }),
  status: 302,
  response: Type.String(),
  async handle({ db, site, request, nowMs }, { code, campaign: given, to }) {
    const landing = landingAt(storeOf(site), to);
    const coupon = await findClickable(db, { code });
    if (!coupon) return redirect(landing);

    const campaign = campaignOf(given);
    const visitor = visitorOf(request);
    const by = { network: request.network, visitor, couponId: coupon.id };
    const counts = request.isVisit && (await takeFromRecordingLimit(site, by));
    const visit = counts
      ? await recordVisit(site, request, { code, campaign, visitor }, nowMs)
      : undefined;
    landing.searchParams.set(site.settings.get(attributionParameter), coupon.code);
    if (visit) landing.searchParams.set('click_id', String(visit.clickId));
    if (campaign !== '') landing.searchParams.set('campaign', campaign);
    return redirect(landing, visit?.cookie);
  },
});

function storeOf(site: Site): URL {
  return URL.parse(site.settings.get(storeUrl)) ?? new URL(site.publicUrl);
}

const CAMPAIGN = new RegExp(CAMPAIGN_PATTERN);

/** A campaign that cannot be one is none. */
function campaignOf(given: unknown): string {
  const fits =
    typeof given === 'string' &&
    given.length <= CAMPAIGN_LENGTH_MAX &&
    CAMPAIGN.test(given) &&
    isStorable(given);
  return fits ? given : '';
}

/** The click with the cookie of its visitor; nothing when the coupon has gone meanwhile. */
async function recordVisit(
  site: Site,
  request: RequestFacts,
  { code, campaign, visitor }: { code: string; campaign: string; visitor: string },
  nowMs: number,
): Promise<{ clickId: number; cookie: string } | undefined> {
  const clickId = await site.database.transaction(async (tx) => {
    const coupon = await findClickable(tx, { code });
    if (!coupon) return undefined;
    const click = toClick(site, { couponId: coupon.id, campaign, visitor, atMs: nowMs });
    return insertClick(tx, click);
  });
  if (clickId === undefined) return undefined;
  const cookie = visitorCookie(visitor, site.settings.get(cookieDays), request.secure);
  return { clickId, cookie };
}

function redirect(landing: URL, cookie?: string): Answer {
  return new Answer('', {
    headers: {
      Location: landing.href,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(cookie !== undefined && { 'Set-Cookie': cookie }),
    },
  });
}
