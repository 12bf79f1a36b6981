import { connect, type Socket } from 'node:net';

export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** The next request, or nothing when there are no more. */
export type NextRequest = () => Buffer | undefined;

/**
 * Sends requests on a number of keep-alive connections and waits for each answer. Raw sockets and
 * the least parsing that is right, so that the load costs less than what it measures.
 */
export async function load(
  port: number,
  next: NextRequest,
  connections: number,
): Promise<LoadResult> {
  const latencies: number[] = [];
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: connections }, () => drive(port, next, latencies)));
  return summaryOf(latencies, performance.now() - startedMs);
}

export function summaryOf(latencies: readonly number[], tookMs: number): LoadResult {
  const sorted = Float64Array.from(latencies).sort();
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
  return {
    requests: latencies.length,
    perSecond: latencies.length / (tookMs / 1000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

/** The same requests in turn, over and over, for so long. */
export function repeated(requests: readonly Buffer[], ms: number): NextRequest {
  const endsAt = performance.now() + ms;
  let sent = 0;
  return () => (performance.now() < endsAt ? requests[sent++ % requests.length] : undefined);
}

/** Each of some requests once. */
export function each(requests: readonly Buffer[]): NextRequest {
  let sent = 0;
  return () => requests[sent++];
}

function drive(port: number, next: NextRequest, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let received = '';
    const send = () => {
      const request = next();
      if (request === undefined) return void socket.end();
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk: string) => {
      received = received === '' ? chunk : received + chunk;
      const length = answerLength(received);
      if (length === undefined || received.length < length) return;
      if (!/^HTTP\/1\.1 20[01]/.test(received)) {
        socket.destroy();
        return reject(new Error(`The server answered ${received.slice(0, 400)}`));
      }
      received = '';
      latencies.push(performance.now() - sentAt);
      send();
    });
  });
}

/** Head and body together; undefined while the head is not complete. */
function answerLength(received: string): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const match = /content-length: (\d+)/i.exec(received);
  if (!match) throw new Error('The answer has no Content-Length');
  return headEnd + 4 + Number(match[1]);
}
