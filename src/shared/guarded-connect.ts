import { lookup, Resolver } from 'node:dns/promises';
import net from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici';
import { isLocalName, isReservedName, mayReach, withoutFinalDots } from './public-address.ts';
import { TransportError, toTransportError } from './transport-error.ts';

const CONNECT_MS_MAX = 5_000;

/** Resolves to all addresses of a name. Without any, it rejects or resolves to an empty list. */
export type Resolve = (host: string) => Promise<string[]>;

export interface Guard {
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
}

const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/** Queries the name servers. Unlike the system's lookup it uses no thread pool, so slow names block nothing. */
export const resolvePublic: Resolve = async (host) => {
  if (isReservedName(host)) return [];
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/** Uses the system's lookup, which knows the names of its own network too. */
export const resolveLocal: Resolve = async (host) => {
  if (isReservedName(host)) return [];
  return (await lookup(host, { all: true })).map(({ address }) => address);
};

/**
 * The addresses that a connection may use: the address itself, or all addresses of a name. If one of them is not
 * allowed, all are refused, because any of them could be used.
 */
export async function reachableAddresses(host: string, guard: Guard): Promise<string[]> {
  if (isLocalName(host) && !guard.allowPrivate) throw new TransportError('address');
  const addresses = net.isIP(host) ? [host] : await resolved(host, guard.resolve);
  if (addresses.length === 0) throw new TransportError('dns');
  if (!addresses.every((address) => mayReach(address, guard.allowPrivate))) {
    throw new TransportError('address');
  }
  return addresses;
}

async function resolved(host: string, resolve: Resolve): Promise<string[]> {
  try {
    return await resolve(host);
  } catch (error) {
    throw new TransportError('dns', error);
  }
}

/**
 * Opens connections for undici, to allowed addresses only. A name is resolved once, and the connection goes to
 * the address that was checked; the connected socket is checked again before the first byte is sent, TLS
 * handshake included.
 */
export function guardedConnector(guard: Guard): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const attempt = new ConnectionAttempt(guard, withoutFinalDots(hostname));
    attempt.open(Number(port) || (protocol === 'https:' ? 443 : 80), protocol === 'https:').then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(toTransportError(error), null),
    );
  };
}

class ConnectionAttempt {
  readonly #guard: Guard;
  readonly #host: string;
  #socket: net.Socket | undefined;
  #isOver = false;

  constructor(guard: Guard, host: string) {
    this.#guard = guard;
    this.#host = host;
  }

  async open(port: number, secure: boolean): Promise<net.Socket> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new TransportError('timeout')), CONNECT_MS_MAX);
    });
    try {
      return await Promise.race([this.#connect(port, secure), tooLong]);
    } catch (error) {
      this.#socket?.destroy();
      throw error;
    } finally {
      this.#isOver = true;
      clearTimeout(timer);
    }
  }

  async #connect(port: number, secure: boolean): Promise<net.Socket> {
    const addresses = await reachableAddresses(this.#host, this.#guard);
    if (this.#isOver) throw new TransportError('timeout');
    const socket = await this.#dial(addresses, port);
    if (!mayReach(socket.remoteAddress ?? '', this.#guard.allowPrivate)) {
      throw new TransportError('address');
    }
    socket.setNoDelay(true);
    return secure ? this.#secure(socket) : socket;
  }

  #dial(addresses: string[], port: number): Promise<net.Socket> {
    const checked = addresses.map((address) => ({ address, family: net.isIP(address) }));
    const socket = net.connect({
      host: this.#host,
      port,
      autoSelectFamily: true,
      lookup: (_host, options, callback) => {
        if (options.all) return callback(null, checked);
        callback(null, checked[0]!.address, checked[0]!.family);
      },
    });
    return this.#settled(socket, 'connect', toTransportError);
  }

  #secure(plain: net.Socket): Promise<net.Socket> {
    const isName = net.isIP(this.#host) === 0;
    const socket = tls.connect({
      socket: plain,
      host: this.#host,
      ...(isName && { servername: this.#host }),
      ALPNProtocols: ['http/1.1'],
      ...(this.#guard.ca !== undefined && { ca: this.#guard.ca }),
    });
    return this.#settled(socket, 'secureConnect', (error) => new TransportError('tls', error));
  }

  #settled<S extends net.Socket>(
    socket: S,
    event: string,
    toError: (error: unknown) => Error,
  ): Promise<S> {
    this.#socket = socket;
    return new Promise<S>((resolve, reject) => {
      const onError = (error: unknown) => reject(toError(error));
      socket.once('error', onError);
      socket.once(event, () => {
        socket.removeListener('error', onError);
        resolve(socket);
      });
    });
  }
}
