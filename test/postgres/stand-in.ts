import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Stands in for servers that cannot be had here: it speaks just enough to be asked one thing. */
export interface StandIn {
  readonly url: string;
  /** The connections that are open now, and all there ever were. */
  readonly connections: { open: number; ever: number };
  close(): void;
}

const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => Buffer.from(Int32Array.of(value).buffer).swap32();
const text = (value: string) => Buffer.from(`${value}\0`);
const message = (kind: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body]);
};

const READY = message('Z', Buffer.from('I'));
const WELCOME = Buffer.concat([message('R', int32(0)), READY]);
/** Of no table; text, of any length; written as text. */
const TEXT_COLUMN = [int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)];

/** One row of texts. */
export function rowAnswer(row: Record<string, string>): Buffer {
  const names = Object.keys(row);
  const columns = names.map((name) => Buffer.concat([text(name), ...TEXT_COLUMN]));
  const values = Object.values(row).map((value) =>
    Buffer.concat([int32(value.length), Buffer.from(value)]),
  );
  return Buffer.concat([
    message('T', int16(names.length), ...columns),
    message('D', int16(names.length), ...values),
    message('C', text('SELECT 1')),
    READY,
  ]);
}

export function refusal(severity: 'ERROR' | 'FATAL', code: string, words: string): Buffer {
  const fields = [text(`S${severity}`), text(`C${code}`), text(`M${words}`), Buffer.from([0])];
  const said = message('E', ...fields);
  return severity === 'FATAL' ? said : Buffer.concat([said, READY]);
}

/** Sends the same response to every message; with `atStart`, to every connection. */
export async function startStandIn(answer: Buffer, atStart?: Buffer): Promise<StandIn> {
  const connections = { open: 0, ever: 0 };
  const server = createServer((socket) => {
    connections.open += 1;
    connections.ever += 1;
    socket.on('close', () => (connections.open -= 1));
    socket.on('error', () => {});
    socket.once('data', () => {
      if (atStart) return socket.end(atStart);
      socket.write(WELCOME);
      socket.on('data', (asked) => {
        if (asked.toString('latin1', 0, 1) === 'X') socket.end();
        else socket.write(answer);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `postgres://tests@127.0.0.1:${port}/any`;
  return { url, connections, close: () => void server.close() };
}
