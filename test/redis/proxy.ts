import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** Stands between the service and Redis, and does what networks do. */
export class RedisProxy {
  #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  #holds = false;
  #sent = '';
  #delayMs = 0;

  constructor(target: string) {
    this.#target = Number(new URL(target).port);
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** How many calls about this the service has sent. */
  callsAbout(key: string): number {
    return this.#sent.split(key).length - 1;
  }

  /** Always at the same port. */
  async open(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes the port, as if Redis had stopped. */
  async cut(): Promise<void> {
    const closed = this.#server.listening ? once(this.#server, 'close') : undefined;
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Connections are accepted and kept, and nothing comes back. */
  hang(): void {
    this.#holds = true;
  }

  /** As before, for new connections and for those that were held. */
  resume(): void {
    this.#holds = false;
    this.#delayMs = 0;
  }

  /** Another one answers from now on. */
  retarget(target: string): void {
    this.#target = Number(new URL(target).port);
  }

  /** Every answer takes so much longer. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  #accept(socket: Socket): void {
    const target = connect(this.#target, '127.0.0.1');
    for (const one of [socket, target]) {
      this.#sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        this.#sockets.delete(one);
        socket.destroy();
        target.destroy();
      });
    }
    socket.on('data', (chunk) => {
      this.#sent += chunk.toString();
      target.write(chunk);
    });
    const pass = async (chunk: Buffer) => {
      if (this.#delayMs > 0) await sleep(this.#delayMs, undefined, { ref: false });
      if (!this.#holds && socket.writable) socket.write(chunk);
    };
    target.on('data', (chunk: Buffer) => void pass(chunk));
  }
}

/** A way to Redis that is open, and closed after the tests. */
export async function openProxy(target: string): Promise<RedisProxy> {
  const proxy = new RedisProxy(target);
  after(() => proxy.cut());
  await proxy.open();
  return proxy;
}
