import { connect, type Socket } from 'node:net';
import { configOf } from '../../kernel/declare/config.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { filesConfig } from './config.ts';
import { FileError } from './file-error.ts';

const ANSWER_MS_MAX = 30_000;
const PIECE_BYTES = 64 * 1024;

/**
 * Sends a file to the scanner that the operator runs, if there is one: clamd, by its socket (`INSTREAM`). Without its
 * answer no file is stored.
 */
export async function scanFile(site: Site, bytes: Buffer): Promise<void> {
  const path = configOf(site, filesConfig).scannerSocket;
  if (path === '') return;
  const answer = await ask(path, bytes).catch((error: unknown) => {
    site.log.error({ err: error, path }, 'the scanner for files does not answer');
    return '';
  });
  if (answer.endsWith('OK')) return;
  if (answer.endsWith('FOUND')) throw new FileError('was refused by the scanner for malware');
  if (answer !== '') site.log.error({ answer }, 'the scanner for files could not scan');
  throw new ApiError(generalErrors.notWritable, {
    message: 'Files cannot be scanned at the moment.',
  });
}

async function ask(path: string, bytes: Buffer): Promise<string> {
  const socket: Socket = connect({ path });
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('The scanner took too long.')));
  try {
    socket.write('zINSTREAM\0');
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      socket.write(lengthOf(piece.length));
      socket.write(piece);
    }
    socket.write(lengthOf(0));
    let answer = '';
    for await (const part of socket) answer += String(part);
    return answer.replace(/\0.*$/s, '').trim();
  } finally {
    socket.destroy();
  }
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
