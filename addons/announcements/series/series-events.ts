import Type from 'typebox';
import type { Transaction } from '../../../src/db/database.ts';
import { defineEvent } from '../../../src/kernel/declare/event.ts';
import { StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { leaveReasons, type LeaveReason } from '../tables.ts';

const which = { series_id: Type.Integer({ description: 'The series.' }) };
const member = { ...which, user_id: Type.Integer({ description: 'The affiliate.' }) };

const seriesActivated = defineEvent(
  'series.activated',
  'A series of emails was switched on.',
  Type.Object(which),
  { id: 190, timestamp: '2026-11-20T12:10:00.402Z', data: { series_id: 1 } },
);

const seriesDeactivated = defineEvent(
  'series.deactivated',
  'A series of emails was switched off.',
  Type.Object(which),
  { id: 191, timestamp: '2026-11-20T12:11:00.402Z', data: { series_id: 1 } },
);

const seriesEntered = defineEvent(
  'series.entered',
  'An affiliate entered a series of emails.',
  Type.Object(member),
  { id: 192, timestamp: '2026-11-20T12:12:00.402Z', data: { series_id: 1, user_id: 7 } },
);

const seriesLeft = defineEvent(
  'series.left',
  'An affiliate left a series of emails: after its last step, or earlier.',
  Type.Object({
    ...member,
    reason: StringEnum(['completed', ...leaveReasons], {
      description:
        'completed: after the last step; order: an order ended it; late: a step was due more than a week ago; team: ' +
        'someone of the team ended it.',
    }),
  }),
  {
    id: 193,
    timestamp: '2026-11-30T12:12:00.402Z',
    data: { series_id: 1, user_id: 7, reason: 'completed' },
  },
);

export const seriesEvents = [seriesActivated, seriesDeactivated, seriesEntered, seriesLeft];

export function emitSwitched(
  tx: Transaction,
  {
    id,
    isActive,
    actorId,
    nowMs,
  }: { id: number; isActive: boolean; actorId: number; nowMs: number },
): void {
  emit(tx, isActive ? seriesActivated : seriesDeactivated, {
    objectId: id,
    userId: actorId,
    info: `Series ${id} switched ${isActive ? 'on' : 'off'}.`,
    data: { series_id: id },
    nowMs,
  });
}

interface Member {
  readonly series_id: number;
  readonly user_id: number;
}

export function emitEntered(tx: Transaction, { series_id, user_id }: Member, nowMs: number): void {
  emit(tx, seriesEntered, {
    objectId: series_id,
    userId: 0,
    info: `Affiliate ${user_id} entered series ${series_id}.`,
    data: { series_id, user_id },
    nowMs,
  });
}

export function emitLeft(
  tx: Transaction,
  { series_id, user_id }: Member,
  reason: LeaveReason | 'completed',
  { actorId = 0, nowMs }: { actorId?: number; nowMs: number },
): void {
  emit(tx, seriesLeft, {
    objectId: series_id,
    userId: actorId,
    info: `Affiliate ${user_id} left series ${series_id}: ${reason}.`,
    data: { series_id, user_id, reason },
    nowMs,
  });
}
