import { request as httpRequest } from 'node:http';

/** A response, as the bare server replays it. */
export interface Captured {
  status: number;
  headers: string[];
  body: string;
}

function headersFor(token: string): Record<string, string> {
  return {
    host: '127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.7',
    authorization: `Bearer ${token}`,
  };
}

/** A request as bytes. */
export function requestBytes(token: string, method: string, path: string, body?: string): Buffer {
  const headers: Record<string, string> = {
    ...headersFor(token),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body ?? ''}`);
}

/**
 * Sends one request. Leaves out the Date and Connection headers, which the bare server writes
 * itself.
 */
export function get(port: number, token: string, path: string): Promise<Captured> {
  return new Promise((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', path, headers: headersFor(token) }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      const own = new Set(['date', 'connection', 'keep-alive']);
      const headers: string[] = [];
      for (let i = 0; i < response.rawHeaders.length; i += 2) {
        if (own.has(response.rawHeaders[i]!.toLowerCase())) continue;
        headers.push(response.rawHeaders[i]!, response.rawHeaders[i + 1]!);
      }
      response.on('end', () => resolve({ status: response.statusCode!, headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

/** Reads a response to its end and returns its size in bytes. */
export function drain(port: number, token: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', path, headers: headersFor(token) }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes)).on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

/** Sends a request with a body; its answer must be a success. */
export async function send(
  port: number,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headersFor(token), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}
