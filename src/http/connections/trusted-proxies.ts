import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Where a request comes from, and whether it travelled safely. */
export interface Origin {
  readonly address: string;
  readonly secure: boolean;
  /** Whether a trusted proxy passed it on. */
  readonly isForwarded: boolean;
}

/**
 * Forwarding headers count only from configured addresses. Anyone else's are ignored: they could
 * say anything.
 */
export class TrustedProxies {
  readonly #list: BlockList | undefined;
  /** Asked once a connection: the check costs 3 µs. */
  readonly #peers = new WeakMap<Socket, boolean>();

  /** Addresses (`10.0.0.7`) and ranges (`10.0.0.0/8`); throws on anything else. */
  constructor(entries: readonly string[]) {
    if (entries.length === 0) return;
    this.#list = new BlockList();
    for (const entry of entries) addTo(this.#list, entry);
  }

  originOf(request: IncomingMessage): Origin {
    const { socket } = request;
    const encrypted = (socket as Partial<TLSSocket>).encrypted === true;
    return this.isProxy(socket)
      ? new ForwardedOrigin(request, encrypted, this)
      : new DirectOrigin(socket, encrypted);
  }

  trusts(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#list!.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }

  /** Whether a connection is one of a trusted proxy. */
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

/** More proxies than any request passes: each check takes time, and a caller may list thousands. */
const HOPS_MAX = 32;

/**
 * Each proxy appends the address it was called from. Read from the right, the first that is not one
 * of our proxies is the caller; what stands left of it, the caller may have made up.
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

/** A process on this machine, not a caller whose request a proxy on this machine passes on. */
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

/** The address at the other end of a connection. */
export function peerOf(socket: Socket): string {
  return plain(socket.remoteAddress ?? '');
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
