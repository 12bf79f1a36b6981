import Type from 'typebox';
import { defineEvent } from '../../kernel/event.ts';
import { StringEnum } from '../../kernel/schemas.ts';

const ids = { user_id: Type.Integer({ description: 'The affiliate.' }) };

export const changeable = ['display_name', 'email', 'groups', 'profile'] as const;

export const affiliateCreated = defineEvent(
  'affiliate.created',
  'An affiliate was created.',
  Type.Object(ids),
);

export const affiliateUpdated = defineEvent(
  'affiliate.updated',
  'An affiliate was changed.',
  Type.Object({
    ...ids,
    changed: Type.Array(StringEnum(changeable), { description: 'The names of what changed.' }),
  }),
);

export const affiliateSuspended = defineEvent(
  'affiliate.suspended',
  'An affiliate was suspended.',
  Type.Object(ids),
);

export const affiliateReinstated = defineEvent(
  'affiliate.reinstated',
  'A suspended affiliate is active again.',
  Type.Object(ids),
);
