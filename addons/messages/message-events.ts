import Type from 'typebox';
import type { Transaction } from '../../src/db/database.ts';
import { defineEvent } from '../../src/kernel/declare/event.ts';
import { emit } from '../../src/modules/events/index.ts';
import type { MessageRow } from './message-rows.ts';

/** Without the text: events are never deleted, and messages are erased with the person. */
const Data = Type.Object({
  message_id: Type.Integer({ description: 'The message.' }),
  user_id: Type.Integer({ description: 'The affiliate in whose thread it is.' }),
  files: Type.Integer({ description: 'How many files it has.' }),
});

const OBJECT = 'affiliate';

export const messageReceived = defineEvent(
  'message.received',
  'An affiliate wrote to the team.',
  Data,
  {
    id: 182,
    timestamp: '2026-11-20T11:24:10.118Z',
    data: { message_id: 31, user_id: 8, files: 1 },
  },
  OBJECT,
);
export const messageSent = defineEvent(
  'message.sent',
  'The team wrote to an affiliate.',
  Data,
  {
    id: 183,
    timestamp: '2026-11-20T11:31:52.640Z',
    data: { message_id: 32, user_id: 8, files: 0 },
  },
  OBJECT,
);

export function emitMessage(tx: Transaction, message: MessageRow, files: number): void {
  const { id, user_id, author_id, side, created_at } = message;
  emit(tx, side === 'team' ? messageSent : messageReceived, {
    objectId: user_id,
    userId: author_id,
    info:
      side === 'team'
        ? `The team wrote message ${id} to affiliate ${user_id}.`
        : `Affiliate ${user_id} wrote message ${id}.`,
    data: { message_id: id, user_id, files },
    nowMs: created_at,
  });
}
