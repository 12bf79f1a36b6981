import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * `public`: an address on the internet that belongs to one host. `own`: this machine or a private network.
 * `special`: all other addresses, to which nothing is ever delivered: link-local (where clouds serve their
 * credentials), multicast, reserved, documentation, and forms that embed another address.
 */
export type AddressKind = 'public' | 'own' | 'special';

const OWN_RANGES = new Set(['loopback', 'private', 'uniqueLocal']);
/** The part of IPv6 that the registries assign; other addresses are not on the internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** @internal Exported for its test. */
export function addressKindOf(address: string): AddressKind {
  if (isIP(address) === 0) return 'special';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (OWN_RANGES.has(range)) return 'own';
  if (range !== 'unicast') return 'special';
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_IPV6) ? 'special' : 'public';
}

/** Whether requests may be sent to this address. Private addresses need `allowPrivate`. */
export function mayReach(address: string, allowPrivate: boolean): boolean {
  const kind = addressKindOf(address);
  return kind === 'public' || (allowPrivate && kind === 'own');
}

/** The host of a URL as a connection needs it: without brackets and without the final dots of a name. */
export function hostOf(url: URL): string {
  return withoutFinalDots(url.hostname.replace(/^\[|\]$/g, ''));
}

/** This uses no regular expression, because `\.+$` takes quadratic time when other characters follow many dots. */
export function withoutFinalDots(host: string): string {
  let end = host.length;
  while (host[end - 1] === '.') end -= 1;
  return host.slice(0, end);
}

export function isLoopbackHost(host: string): boolean {
  if (isIP(host) !== 0) return ipaddr.parse(host).range() === 'loopback';
  return isLocalName(host);
}

/** Names that will never exist (RFC 2606), so they are not looked up. */
export function isReservedName(host: string): boolean {
  return /(^|\.)(invalid|example)$/i.test(host);
}

/** Names that every system resolves to itself, whatever a name server says. */
export function isLocalName(host: string): boolean {
  return /(^|\.)localhost$/i.test(host);
}
