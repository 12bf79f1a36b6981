import { connect } from 'node:net';
import { SAFETY_NET_MS } from './eventually.ts';

/** Sends raw bytes; resolves with everything that the server sends until it closes the connection. */
export function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answer = '';
    socket.setEncoding('utf8');
    socket.setTimeout(SAFETY_NET_MS, () =>
      socket.destroy(new Error(`no end of the answer: ${answer}`)),
    );
    socket.on('data', (text: string) => (answer += text));
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    socket.on('close', () => resolve(answer));
  });
}

/** The text of a request whose connection closes after the response. */
export function requestText(
  line: string,
  headers: Record<string, string> = {},
  body?: string,
): string {
  const all = {
    Host: 'localhost',
    Connection: 'close',
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${head.join('')}\r\n${body ?? ''}`;
}
