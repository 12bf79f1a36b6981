import Type, { type Static } from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { LocalTime } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { lastSeenOf } from '../last-seen.ts';
import { listSessionsOf, type SessionRow } from '../session-rows.ts';
import { SESSION_AGE_MAX_MS, SESSION_IDLE_MAX_MS, sessionIdOf } from '../session.ts';
import { deviceInWords, deviceOf } from './device.ts';

const OwnSessionSchema = Type.Object(
  {
    id: Type.String({ description: 'The id of the session; it is not its secret.' }),
    device: Type.String({ description: 'Browser and system in words.' }),
    browser: Type.String({ description: 'The browser; empty if it is not known.' }),
    system: Type.String({ description: 'The operating system; empty if it is not known.' }),
    address: Type.String({ description: 'The network address at the sign-in.' }),
    date_created: LocalTime('When the session began.'),
    last_seen: LocalTime('The last request, exact to a minute.'),
    current: Type.Boolean({ description: 'True if this request belongs to the session.' }),
  },
  {
    $id: 'OwnSession',
    examples: [
      {
        id: 'q3Vb7LrK0eWc3NsY8aHd5J',
        device: 'Firefox on Android',
        browser: 'Firefox',
        system: 'Android',
        address: '192.0.2.17',
        date_created: '2026-02-11T16:20:00',
        last_seen: '2026-02-11T16:42:00',
        current: true,
      },
    ],
  },
);

function toOwnSession(
  site: Site,
  row: SessionRow,
  currentHash: string | undefined,
): Static<typeof OwnSessionSchema> {
  const device = deviceOf(row.user_agent);
  return {
    id: sessionIdOf(site, row.token_hash),
    device: deviceInWords(device),
    ...device,
    address: row.address,
    date_created: site.calendar.toLocal(row.created_at),
    last_seen: site.calendar.toLocal(lastSeenOf(site).latestOf(row.token_hash, row.seen_at)),
    current: row.token_hash === currentHash,
  };
}

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
