import { connect, type Socket } from 'node:net';

export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** The next request, or undefined at the end. */
export type NextRequest = () => Buffer | undefined;

/**
 * Sends requests on keep-alive connections, each waiting for its response. Uses raw sockets and
 * minimal parsing, so that the client costs less than the server it measures.
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

/** Repeats the requests in order for `ms`. One is sent even if connecting took longer, as on a busy machine. */
export function repeated(requests: readonly Buffer[], ms: number): NextRequest {
  const endsAt = performance.now() + ms;
  let sent = 0;
  return () =>
    sent === 0 || performance.now() < endsAt ? requests[sent++ % requests.length] : undefined;
}

/** Sends each request once. */
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

/** Length of head and body; undefined until the head is complete. */
function answerLength(received: string): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const match = /content-length: (\d+)/i.exec(received);
  if (!match) throw new Error('The answer has no Content-Length');
  return headEnd + 4 + Number(match[1]);
}
