import type { Transaction } from '../../src/db/database.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { useFile, type FileRow } from '../../src/modules/files/index.ts';
import { emitMessage } from './message-events.ts';
import { insertMessage, insertMessageFile, type MessageRow } from './message-rows.ts';
import type { Side, ThreadRow } from './tables.ts';
import { lockThread, saveThread } from './thread-rows.ts';
import { afterMessage, countSent } from './thread.ts';

interface NewMessage {
  /** The affiliate whose thread it is. */
  readonly userId: number;
  readonly side: Side;
  readonly authorId: number;
  readonly text: string;
  readonly files: readonly FileRow[];
  readonly nowMs: number;
}

/** Adds a message to its thread. Throws if the affiliate has sent too much on this day. */
export async function writeMessage(
  tx: Transaction,
  site: Site,
  { userId, side, authorId, text, files, nowMs }: NewMessage,
): Promise<{ row: MessageRow; thread: ThreadRow }> {
  const locked = await lockThread(tx, userId);
  const before = side === 'affiliate' ? countSent(locked, site.calendar.dayOf(nowMs)) : locked;
  const row = await insertMessage(tx, {
    user_id: userId,
    side,
    author_id: authorId,
    text,
    created_at: nowMs,
  });
  for (const file of files) {
    await useFile(tx, file);
    await insertMessageFile(tx, { file_id: file.id, message_id: row.id });
  }
  const thread = afterMessage(before, side, { id: row.id, nowMs });
  await saveThread(tx, thread);
  emitMessage(tx, row, files.length);
  return { row, thread };
}
