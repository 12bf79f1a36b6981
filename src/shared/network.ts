import { isIPv6 } from 'node:net';

/**
 * The network that limits are counted by: an IPv4 address, or the /64 of an IPv6 address, because a
 * single internet connection has a whole /64 of addresses.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address.split('%')[0]!);
  if (isMappedIpv4(groups)) return ipv4Of(groups[6]!, groups[7]!);
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The eight groups of an IPv6 address as numbers. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = withoutDots(address).split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill('0'), ...right].map((group) =>
    Number.parseInt(group, 16),
  );
}

/** `::ffff:192.0.2.1` with its last part as two groups. */
function withoutDots(address: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (!dotted) return address;
  // The expression has four groups.
  const [a, b, c, d] = dotted.slice(1).map(Number) as [number, number, number, number];
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
  return address.slice(0, dotted.index) + groups;
}

/** An IPv4 caller as an IPv6 socket or a proxy may write it: `::ffff:c000:201`. */
function isMappedIpv4(groups: number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The /24 of a network that is an IPv4 address; the /64 of IPv6 as it is. */
export function widerNetworkOf(network: string): string {
  return network.includes('.') ? network.slice(0, network.lastIndexOf('.')) : network;
}
