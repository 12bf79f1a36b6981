import Type from 'typebox';
import { invalidParameter } from '../../../src/kernel/call/parameters.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Day } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { firstSince } from '../../../src/modules/events/index.ts';
import { countOf } from '../../../src/shared/count-of.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { fanOutCursor, setReplay } from '../delivery/fan-out-rows.ts';
import { lockPostback, requirePostback } from '../postback/postback-rows.ts';
import { keepDays } from '../settings.ts';
import { postbackExample, postbackParams, PostbackSchema, toPostback } from './postback-wire.ts';

export const postbackIsOff = defineError(
  'svc_api_postback_off',
  409,
  'The postback is switched off. Switch it on first.',
);

export const replayPostback = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/postbacks/{postback_id}/replay',
  summary: 'Send all changes of orders since a day again',
  description:
    'In the background, each order one change after the other, with the same ids, including what happened while the postback was off or ' +
    'before it was created. Later changes follow behind. Not further back than `postbacks.keep_days`.',
  access: 'owner',
  scope: 'write',
  params: postbackParams,
  body: Type.Object({ from: Day('The first day.') }, { $id: 'ReplayPostback' }),
  example: { body: { from: '2026-02-10' }, response: { ...postbackExample, replaying: true } },
  response: PostbackSchema,
  errors: [generalErrors.notFound, postbackIsOff],
  async handle({ db, site, caller, nowMs }, { id, postback_id, from }) {
    await requireOwnAffiliate(db, caller, id);
    await lockPostback(db, postback_id);
    const postback = await requirePostback(db, id, postback_id);
    if (postback.status !== 'active') throw new ApiError(postbackIsOff);
    const days = site.settings.get(keepDays);
    if (from < site.calendar.dayOf(nowMs - days * DAY_MS)) {
      throw invalidParameter('from', `must not be more than ${countOf(days, 'day')} ago.`);
    }
    const first = await firstSince(db, site.calendar.startOfDay(from));
    const position = (await fanOutCursor.position(db)) ?? 0;
    // A running replay continues from the earlier of the two positions; what is new comes anyway.
    const after = Math.min(first - 1, postback.replay_after ?? position);
    await setReplay(db, { id: postback_id, after });
    return toPostback({ ...postback, replay_after: after }, site);
  },
});
