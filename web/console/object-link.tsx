import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';

/** Where the console shows one object, by the kind of its events: the path in front of its id. */
const pathOf: Readonly<Record<string, string>> = {
  affiliate: 'affiliates/',
  coupon: 'coupons?coupon=',
  order: 'orders/',
  payout: 'payouts/',
  referral: 'orders/',
  registration: 'applications/',
  store_connection: 'stores/',
  webhook: 'webhooks/',
};

/** The address of one object; undefined if no screen shows it. */
export function hrefOfObject(kind: string, id: number): string | undefined {
  const path = pathOf[kind];
  return path === undefined || id === 0 ? undefined : `/console/${path}${id}`;
}

interface ObjectLinkProps {
  /** The type of the object, as events name it. */
  type: string;
  id: number;
  children: ComponentChildren;
}

/** Leads to an object; plain text if no screen shows it. */
export function ObjectLink({ type, id, children }: ObjectLinkProps) {
  const href = hrefOfObject(type, id);
  return href === undefined ? <>{children}</> : <Link href={href}>{children}</Link>;
}
