import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** The address that a request came from, and whether it was encrypted on the way. */
export interface Origin {
  readonly address: string;
  readonly secure: boolean;
  /** Whether a trusted proxy forwarded the request. */
  readonly isForwarded: boolean;
}

/**
 * Reads forwarding headers from configured addresses only. From any other address they are ignored,
 * because a client can put anything into them.
 */
export class TrustedProxies {
  readonly #list: BlockList | undefined;
  /** Caches the check per connection, because it costs 3 µs. */
  readonly #peers = new WeakMap<Socket, boolean>();

  /** Addresses (`10.0.0.7`) and ranges (`10.0.0.0/8`); throws on anything else. */
  constructor(entries: readonly string[]) {
    if (entries.length === 0) return;
    this.#list = new BlockList();
    for (const entry of entries) addTo(this.#list, entry);
  }

  originOf(request: IncomingMessage): Origin {
    const { socket } = request;
    // Only TLS sockets have the property.
    const encrypted = (socket as Partial<TLSSocket>).encrypted === true;
    return this.isProxy(socket)
      ? new ForwardedOrigin(request, encrypted, this)
      : new DirectOrigin(socket, encrypted);
  }

  trusts(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#list!.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }

  /** Whether the peer of a connection is a trusted proxy. */
  isProxy(socket: Socket): boolean {
    if (!this.#list) return false;
    let trusted = this.#peers.get(socket);
    if (trusted === undefined) {
      trusted = this.trusts(peerOf(socket));
      this.#peers.set(socket, trusted);
    }
    return trusted;
  }
}

class DirectOrigin implements Origin {
  readonly isForwarded = false;
  readonly secure: boolean;
  readonly #socket: Socket;

  constructor(socket: Socket, encrypted: boolean) {
    this.#socket = socket;
    this.secure = encrypted;
  }

  get address(): string {
    return peerOf(this.#socket);
  }
}

/** More proxies than any real request passes. It bounds the work, as a caller may list thousands. */
const HOPS_MAX = 32;

/**
 * Each proxy appends the address that it was called from. Read from the right, the first address that is
 * not a trusted proxy is the caller; the caller may have forged everything to the left of it.
 */
class ForwardedOrigin implements Origin {
  readonly isForwarded = true;
  readonly #request: IncomingMessage;
  readonly #encrypted: boolean;
  readonly #proxies: TrustedProxies;

  constructor(request: IncomingMessage, encrypted: boolean, proxies: TrustedProxies) {
    this.#request = request;
    this.#encrypted = encrypted;
    this.#proxies = proxies;
  }

  get secure(): boolean {
    const header = this.#request.headers['x-forwarded-proto'];
    if (header === 'https') return true;
    const protocols = listOf(header);
    if (protocols.length === 0) return this.#encrypted;
    const hops = this.#hops();
    const protocol =
      protocols.length === hops.length ? protocols[this.#callerIndex(hops)] : protocols.at(-1);
    return protocol!.toLowerCase() === 'https';
  }

  get address(): string {
    const hops = this.#hops();
    const address = hops[this.#callerIndex(hops)];
    return address !== undefined && isIP(address) !== 0 ? address : peerOf(this.#request.socket);
  }

  #hops(): string[] {
    return listOf(this.#request.headers['x-forwarded-for']).map(plain);
  }

  #callerIndex(hops: string[]): number {
    let index = hops.length - 1;
    const least = Math.max(0, hops.length - HOPS_MAX);
    while (index > least && this.#proxies.trusts(hops[index]!)) index -= 1;
    return index;
  }
}

/** Whether a process on this machine sent the request, not a proxy on this machine for another caller. */
export function isLocal({ headers, socket }: IncomingMessage): boolean {
  const forwarded =
    headers['x-forwarded-for'] ??
    headers['x-forwarded-proto'] ??
    headers['forwarded'] ??
    headers['via'];
  return forwarded === undefined && /^(::1|127\.\d+\.\d+\.\d+)$/.test(peerOf(socket));
}

function addTo(list: BlockList, entry: string): void {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  const isRange = prefix === undefined || (/^\d+$/.test(prefix) && length <= bits);
  if (family === 0 || !isRange || rest.length > 0) {
    throw new Error(`"${entry}" is not an address or a range like 10.0.0.0/8`);
  }
  list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
}

/** The remote address of a connection. */
export function peerOf(socket: Socket): string {
  return plain(socket.remoteAddress ?? '');
}

/** Converts an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) to IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function listOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return String(header)
    .split(',')
    .map((part) => part.trim());
}
