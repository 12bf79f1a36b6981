import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * `public`: an address of the internet that belongs to one host. `own`: this machine or a private
 * network. `special`: everything else, which is nobody's to deliver to: link-local (where clouds keep
 * their credentials), multicast, reserved, documentation, and the forms that carry one address
 * inside another.
 */
export type Reach = 'public' | 'own' | 'special';

const OWN_RANGES = new Set(['loopback', 'private', 'uniqueLocal']);
/** What the registries have given out at all; the rest of IPv6 is not the internet's. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** @internal Exported for its test. */
export function reachOf(address: string): Reach {
  if (isIP(address) === 0) return 'special';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (OWN_RANGES.has(range)) return 'own';
  if (range !== 'unicast') return 'special';
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_IPV6) ? 'special' : 'public';
}

/** Whether something may be sent there: private addresses only where that is allowed. */
export function mayReach(address: string, allowPrivate: boolean): boolean {
  const reach = reachOf(address);
  return reach === 'public' || (allowPrivate && reach === 'own');
}

/** The host of a URL as one connects to it: without brackets, without the dot that ends a name. */
export function hostOf(url: URL): string {
  return withoutFinalDots(url.hostname.replace(/^\[|\]$/g, ''));
}

/** Not by an expression: `\.+$` takes quadratic time where many dots stand before something else. */
export function withoutFinalDots(host: string): string {
  let end = host.length;
  while (host[end - 1] === '.') end -= 1;
  return host.slice(0, end);
}

export function isLoopbackHost(host: string): boolean {
  if (isIP(host) !== 0) return ipaddr.parse(host).range() === 'loopback';
  return isLocalName(host);
}

/** Names that are nobody's and never will be (RFC 2606): there is no need to ask for them. */
export function isReservedName(host: string): boolean {
  return /(^|\.)(invalid|example)$/i.test(host);
}

/** Names that every system takes for itself, whatever a name server says. */
export function isLocalName(host: string): boolean {
  return /(^|\.)localhost$/i.test(host);
}
