import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { lastSeenOf } from '../last-seen.ts';
import { listSessionsOf } from '../session-rows.ts';
import { SESSION_AGE_MAX_MS, SESSION_IDLE_MAX_MS } from '../session.ts';
import { OwnSessionSchema, toOwnSession } from './own-session-wire.ts';

export const listOwnSessions = operation({
  method: 'GET',
  namespace: 'store',
  path: '/account/sessions',
  summary: 'List your sessions',
  description: 'The browsers in which you are signed in; those used last come first, at most 100.',
  access: 'user',
  scope: 'manage',
  response: Type.Array(OwnSessionSchema),
  async handle({ db, site, caller, nowMs }) {
    const rows = await listSessionsOf(db, { user_id: actorId(caller) });
    return rows
      .filter((row) => {
        const seenMs = lastSeenOf(site).latestOf(row.token_hash, row.seen_at);
        return nowMs - seenMs < SESSION_IDLE_MAX_MS && nowMs - row.created_at < SESSION_AGE_MAX_MS;
      })
      .map((row) => toOwnSession(site, row, caller.session?.tokenHash));
  },
});
