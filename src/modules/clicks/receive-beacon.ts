import { stringifySetCookie } from 'cookie';
import Type from 'typebox';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { findClickable } from './click-rows.ts';
import { campaignOf, VisitorId } from './click.ts';
import { cookieDays } from './settings.ts';
import { sourceIn } from './source.ts';
import { perSub, subNames, type SubName } from './sub-names.ts';
import { mayCount, recordVisit } from './visit.ts';

/**
 * Ids that the script creates. No other visitor gets clicks here: the ids of referral links are in URLs, and those
 * of stores may be guessed, so anyone could add a click to them and be credited for the next order.
 */
const OF_SCRIPT = /^t\.[0-9a-z]{20}$/;

export const receiveBeacon = operation({
  method: 'POST',
  namespace: 'site',
  path: '/t',
  summary: 'Receive a click from the script on a page of the store',
  description:
    'The script `/t.js` sends it as a form when a visitor arrives with a coupon code. The response is the same ' +
    'whether the click was counted or not. A page on the same host, through a proxy of the store, also gets the ' +
    "script's cookie.",
  access: 'public',
  scope: null,
  transaction: false,
  body: Type.Object(
    {
      code: Type.String({ minLength: 1, maxLength: 50, description: 'The coupon code.' }),
      visitor: VisitorId('The id that the script has created, or that of the referral link.'),
      campaign: Type.Optional(
        Type.String({ maxLength: 201, description: 'The name of the link, if valid.' }),
      ),
      path: Type.Optional(
        Type.String({ maxLength: 500, description: 'The path of the landing page.' }),
      ),
      referrer: Type.Optional(
        Type.String({
          maxLength: 500,
          description: 'The origin of the page that led there; at most its host is stored.',
        }),
      ),
      parameters: Type.Optional(
        Type.String({
          maxLength: 1_000,
          description:
            'The names of the parameters of the landing address, separated by `&`; at most those of ads are stored.',
        }),
      ),
      creative: Type.Optional(
        Type.String({ maxLength: 201, description: 'The number of the creative, if known.' }),
      ),
      ...perSub(() =>
        Type.Optional(
          Type.String({ maxLength: 201, description: 'A sub-id of the link, if valid.' }),
        ),
      ),
      click_id: Type.Optional(
        Id('The click that the referral link has recorded; then no other is.'),
      ),
    },
    { $id: 'Beacon', examples: [{ code: 'MAYA10', visitor: 't.4c1fj20x8r5m7q3kz9wa' }] },
  ),
  status: 202,
  response: Type.String(),
  contentType: 'text/plain',
  async handle({ db, site, request, nowMs }, input) {
    const { code, visitor, path = '', click_id } = input;
    const coupon = await findClickable(db, { code });
    const isNew = click_id === undefined && OF_SCRIPT.test(visitor);
    if (coupon && isNew && (await mayCount(site, request, { visitor, couponId: coupon.id }))) {
      const { referrer = '', parameters: search = '' } = input;
      const campaign = campaignOf(input.campaign);
      const source = sourceIn(site, (name) => (isOwn(name) ? input[name] : undefined));
      const origin = { referrer, search, network: request.network };
      const visit = { code, campaign, visitor, path, isReturning: true, origin, source };
      await recordVisit(site, visit, nowMs);
    }
    const origin = [code, visitor, click_id ?? 0, nowMs];
    return new HttpResponse('', {
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        ...(request.isSameOrigin && {
          'Set-Cookie': storeCookie(origin, site.settings.get(cookieDays), request.secure),
        }),
      },
    });
  },
});

/** The script has replaced the other names of sub-ids. */
function isOwn(name: string): name is SubName | 'creative' {
  return name === 'creative' || subNames.some((own) => own === name);
}

/**
 * The cookie that the script reads and writes (`web/tracker/tracker.ts`). Safari deletes cookies that a script has
 * written after seven days, and keeps those of responses.
 */
function storeCookie(origin: readonly unknown[], days: number, secure: boolean): string {
  return stringifySetCookie({
    name: 'tributary',
    value: JSON.stringify(origin),
    path: '/',
    sameSite: 'lax',
    secure,
    maxAge: (days * DAY_MS) / 1000,
  });
}
