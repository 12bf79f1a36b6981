import Type from 'typebox';
import type { Transaction } from '../../src/db/database.ts';
import { defineEvent } from '../../src/kernel/declare/event.ts';
import { emit } from '../../src/modules/events/index.ts';

const Data = Type.Object({ user_id: Type.Integer({ description: 'The affiliate.' }) });

const define = (name: string, description: string, id: number) =>
  defineEvent(
    `personal_page.${name}`,
    description,
    Data,
    { id, timestamp: `2026-12-01T09:40:${id - 180}.118Z`, data: { user_id: 7 } },
    'affiliate',
  );

export const pageSubmitted = define(
  'submitted',
  'An affiliate has written its page, which waits for the review.',
  200,
);
export const pageShown = define('shown', 'The page of an affiliate is shown to visitors.', 201);
export const pageDeclined = define('declined', 'The page of an affiliate was declined.', 202);
export const pageDeleted = define('deleted', 'The page of an affiliate was deleted.', 203);

export const pageEvents = [pageSubmitted, pageShown, pageDeclined, pageDeleted];

export function emitPage(
  tx: Transaction,
  event: typeof pageShown,
  userId: number,
  actorId: number,
  nowMs: number,
): void {
  emit(tx, event, {
    objectId: userId,
    userId: actorId,
    info: event.description,
    data: { user_id: userId },
    nowMs,
  });
}
