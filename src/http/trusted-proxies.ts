import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** Where a request comes from, and whether it travelled safely. */
export interface Origin {
  address: string;
  secure: boolean;
}

/**
 * Forwarding headers count only from configured addresses. Anyone else's are ignored: they could
 * say anything.
 */
export class TrustedProxies {
  readonly #list: BlockList | undefined;

  /** Addresses (`10.0.0.7`) and ranges (`10.0.0.0/8`); throws on anything else. */
  constructor(entries: readonly string[]) {
    if (entries.length === 0) return;
    this.#list = new BlockList();
    for (const entry of entries) addTo(this.#list, entry);
  }

  originOf(request: IncomingMessage): Origin {
    const peer = plain(request.socket.remoteAddress ?? '');
    const encrypted = (request.socket as TLSSocket).encrypted === true;
    if (!this.#list || !this.trusts(peer)) return { address: peer, secure: encrypted };
    return this.#forwarded(request, peer, encrypted);
  }

  trusts(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#list!.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }

  /**
   * Each proxy appends the address it was called from. Read from the right, the first that is not
   * one of our proxies is the caller; what stands left of it, the caller may have made up.
   */
  #forwarded(request: IncomingMessage, peer: string, encrypted: boolean): Origin {
    const hops = listOf(request.headers['x-forwarded-for']).map(plain);
    const protocols = listOf(request.headers['x-forwarded-proto']);
    let index = hops.length - 1;
    while (index > 0 && this.trusts(hops[index]!)) index -= 1;
    const address = hops[index];
    const protocol = protocols.length === hops.length ? protocols[index] : protocols.at(-1);
    return {
      address: address !== undefined && isIP(address) !== 0 ? address : peer,
      secure: protocol === undefined ? encrypted : protocol.toLowerCase() === 'https',
    };
  }
}

function addTo(list: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/');
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  if (family === 0 || !/^\d*$/.test(prefix ?? '') || prefix === '' || length > bits) {
    throw new Error(`"${entry}" is not an address or a range like 10.0.0.0/8`);
  }
  list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
}

/** IPv4 seen through an IPv6 socket is IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function listOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return String(header)
    .split(',')
    .map((part) => part.trim());
}
