import { followEvents, type FollowOptions } from './follow-events.ts';
import type { Resources } from './generated/resources.ts';
import { routes } from './generated/routes.ts';
import type { FeedEvent } from './generated/schemas.ts';
import { listOf } from './pages.ts';
import { sessionOf, type SessionResource } from './session.ts';
import {
  asFile,
  Transport,
  type CallOptions,
  type ClientOptions,
  type Method,
} from './transport.ts';

/** The operations of both namespaces, and what needs more than one request. */
export interface Tributary extends Resources {
  readonly session: SessionResource;
  readonly events: Resources['events'] & {
    /** Yields the events of the feed, without end; waits while the service is away. */
    follow(options?: FollowOptions): AsyncGenerator<FeedEvent, void, undefined>;
  };
  /** A call by path, for routes of extensions: `client.request('GET', '/svc/store/v1/…')`. */
  request<T = unknown>(
    method: Method,
    path: string,
    input?: object,
    options?: CallOptions,
  ): Promise<T>;
}

class Client {
  readonly session: SessionResource;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.session = sessionOf(transport);
    for (const [name, route] of Object.entries(routes)) {
      place(this, name.split('.'), methodOf(transport, route));
    }
    // `place` has added the resources that `Tributary` declares.
    const { events } = this as unknown as Tributary;
    Object.assign(events, {
      follow: (given?: FollowOptions) => followEvents(events.list, given),
    });
  }

  async request(method: Method, path: string, input?: object, options?: CallOptions) {
    return (await this.#transport.json({ method, path, input, options })).body;
  }
}

/** The client of an installation. */
// Its properties are added while it is constructed, from the table of routes.
export const Tributary = Client as unknown as new (options: ClientOptions) => Tributary;

/** Puts a method at its place. What is there already, a method or its parts, stays. */
function place(at: object, [name, ...rest]: string[], method: object): void {
  const parts = at as Record<string, object | undefined>;
  const present = parts[name!];
  if (rest.length > 0) place((parts[name!] ??= {}), rest, method);
  else parts[name!] = present ? Object.assign(method, present) : method;
}

const NAMESPACES: Record<string, string> = { v2: '/svc/v2', store: '/svc/store/v1' };

/**
 * The method of a route like `GET v2 /coupons/{id}/orders list input`: it takes the parameters of the
 * path, then its input if it has one, then options.
 */
function methodOf(transport: Transport, route: string): (...args: unknown[]) => unknown {
  const [method, namespace, template, ...traits] = route.split(' ');
  return (...args) => {
    const path =
      NAMESPACES[namespace!]! +
      template!.replaceAll(/\{\w+\}/g, () => {
        const value = args.shift();
        if (value === undefined || value === '')
          throw new TypeError(`${template}: a value is missing`);
        return encodeURIComponent(String(value));
      });
    const input = traits.includes('input') ? args.shift() : undefined;
    // The generated types declare the arguments in this order.
    const call = { method, path, input, options: args[0] } as Parameters<Transport['send']>[0];
    if (traits.includes('list')) return listOf(transport, call);
    if (traits.includes('file')) return transport.send(call, asFile);
    return transport.json(call).then(({ body }) => body);
  };
}
