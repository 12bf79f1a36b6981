import { Agent, request } from 'node:http';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';

/** A request to send as it is. */
export interface Sending {
  url: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** A client in its own thread, so that its work is not measured with the server's. */
export class RemoteClient {
  readonly #worker = new Worker(new URL(import.meta.url));

  /** Sends a request; resolves with the status once the whole response has arrived. */
  send(sending: Sending): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#worker.once('message', (status: number | string) =>
        typeof status === 'number' ? resolve(status) : reject(new Error(status)),
      );
      this.#worker.postMessage(sending);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

if (!isMainThread) {
  const agent = new Agent({ keepAlive: true });
  parentPort!.on('message', ({ url, method, path, headers, body }: Sending) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, method, path, headers, agent }, (response) => {
      response.resume().on('end', () => parentPort!.postMessage(response.statusCode));
    });
    sent.on('error', (error) => parentPort!.postMessage(String(error)));
    sent.end(body);
  });
}
