import { curlHere } from '../../../kernel/present/curl.ts';
import type { Site } from '../../../kernel/declare/site.ts';

const COUPON = 'FRIEND10';

/** Lines for a terminal: add an affiliate, send an order with its coupon, see the commission. */
export function firstLines(site: Site, token: string): [string, string, string] {
  const affiliate = { login: 'friend', email: 'friend@example.com', coupon: { code: COUPON } };
  const order = {
    status: 'completed',
    date: site.calendar.toLocal(site.clock()),
    total: 100,
    coupon_codes: [COUPON],
  };
  return [
    `${call(site, token, '/svc/store/v1/affiliates')} ${withBody(affiliate)}`,
    `${call(site, token, '/svc/store/v1/orders/1')} -X PUT ${withBody(order)}`,
    call(site, token, '/svc/v2/coupons'),
  ];
}

function call(site: Site, token: string, path: string): string {
  return `${curlHere(site)} -H 'Authorization: Bearer ${token}' ${site.publicUrl}${path}`;
}

function withBody(value: unknown): string {
  return `-H 'Content-Type: application/json' -d '${JSON.stringify(value)}'`;
}
