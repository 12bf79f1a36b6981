import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { setBrandFile } from './brand-file.ts';

export const deletePicture = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/brand/picture',
  summary: 'Remove the picture of the program page',
  access: 'admin',
  scope: 'manage',
  response: Type.Object({ deleted: Type.Literal(true) }),
  async handle(context) {
    await setBrandFile(context, 'picture', undefined);
    return { deleted: true as const };
  },
});
