import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { setBrandFile } from './brand-file.ts';

export const deleteLogo = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/brand/logo',
  summary: 'Remove the logo of the store',
  access: 'admin',
  scope: 'manage',
  response: Type.Object({ deleted: Type.Literal(true) }),
  async handle(context) {
    await setBrandFile(context, 'logo', undefined);
    return { deleted: true as const };
  },
});
