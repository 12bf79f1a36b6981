import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';

export const getHealth = operation({
  method: 'GET',
  namespace: 'site',
  path: '/healthz',
  summary: 'Check that the process is alive',
  access: 'public',
  scope: null,
  unlimited: true,
  response: Type.Object({ status: Type.Literal('ok') }),
  handle: () => ({ status: 'ok' as const }),
});
