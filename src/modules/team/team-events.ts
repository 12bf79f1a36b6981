import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { teamRoles } from './team-rows.ts';

export const teamUpdated = defineEvent(
  'team.updated',
  'The role of an administrator or manager changed, or it was disabled or enabled.',
  Type.Object({
    user_id: Type.Integer(),
    role: StringEnum(teamRoles),
    disabled: Type.Boolean(),
    changed: Type.Array(StringEnum(['role', 'disabled'])),
  }),
  {
    id: 16,
    timestamp: '2026-01-10T11:32:14.330Z',
    data: { user_id: 2, role: 'manager', disabled: false, changed: ['role'] },
  },
  'user',
);
