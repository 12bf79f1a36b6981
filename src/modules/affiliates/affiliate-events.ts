import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';

const ids = { user_id: Type.Integer({ description: 'The affiliate.' }) };

export const changeable = ['display_name', 'email', 'groups', 'profile', 'tags'] as const;

export const affiliateCreated = defineEvent(
  'affiliate.created',
  'An affiliate was created.',
  Type.Object(ids),
  { id: 24, timestamp: '2026-01-13T09:14:40.218Z', data: { user_id: 7 } },
);

export const affiliateUpdated = defineEvent(
  'affiliate.updated',
  'An affiliate was changed.',
  Type.Object({
    ...ids,
    changed: Type.Array(StringEnum(changeable), { description: 'The names of what changed.' }),
  }),
  {
    id: 31,
    timestamp: '2026-01-14T12:00:47.120Z',
    data: { user_id: 7, changed: ['groups', 'profile'] },
  },
);

export const affiliateSuspended = defineEvent(
  'affiliate.suspended',
  'An affiliate was suspended.',
  Type.Object(ids),
  { id: 68, timestamp: '2026-02-08T15:10:26.489Z', data: { user_id: 8 } },
);

export const affiliateReinstated = defineEvent(
  'affiliate.reinstated',
  'A suspended affiliate is active again.',
  Type.Object(ids),
  { id: 70, timestamp: '2026-02-09T10:33:52.841Z', data: { user_id: 8 } },
);

export const affiliateViewed = defineEvent(
  'affiliate.viewed',
  'An administrator or manager looked at the portal as an affiliate sees it.',
  Type.Object({
    ...ids,
    viewer_id: Type.Integer({ description: 'The administrator or manager.' }),
  }),
  { id: 71, timestamp: '2026-02-09T11:02:05.300Z', data: { user_id: 8, viewer_id: 2 } },
);
