import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';

export const signInFailed = defineEvent(
  'session.failed',
  'A sign-in with a wrong login or password; at most one per login, network and minute.',
  Type.Object({
    user_id: Type.Integer({ description: 'Whose login it was; 0 where there is no such login.' }),
  }),
  { id: 12, timestamp: '2026-01-10T11:02:40.118Z', data: { user_id: 1 } },
  'user',
);

export const accessRefused = defineEvent(
  'access.refused',
  'A user or a key was refused what it may not do; at most one per caller, operation and minute.',
  Type.Object({
    user_id: Type.Integer(),
    key_id: Type.Integer({ description: '0 without an API key.' }),
    method: Type.String(),
    route: Type.String({ description: 'The path of the operation, with names for ids.' }),
    code: Type.String({ description: 'The code of the answer.' }),
  }),
  {
    id: 13,
    timestamp: '2026-01-10T11:05:02.640Z',
    data: {
      user_id: 7,
      key_id: 0,
      method: 'GET',
      route: '/svc/v2/keys',
      code: 'svc_api_forbidden',
    },
  },
  'key',
);
