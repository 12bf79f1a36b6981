import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';

export const getHealth = operation({
  method: 'GET',
  namespace: 'site',
  path: '/healthz',
  summary: 'Is the process alive',
  access: 'public',
  scope: null,
  unlimited: true,
  response: Type.Object({ status: Type.Literal('ok') }),
  handle: () => ({ status: 'ok' as const }),
});
