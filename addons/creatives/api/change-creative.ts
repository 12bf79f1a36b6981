import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { filesUnavailable } from '../../../src/modules/files/index.ts';
import { CreativeSchema } from '../creative-wire.ts';
import {
  checkUrl,
  CreativeChange,
  creativeUpload,
  lockCreative,
  prepareFile,
  requireCreative,
  saveCreative,
} from '../creative.ts';

export const changeCreative = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/creatives/{id}',
  summary: 'Change a creative',
  description:
    'Only the given fields change; `content` replaces the file. The kind stays. The body may be `multipart/form-data` ' +
    'instead of JSON, with the file as the part `content`.',
  access: 'admin',
  scope: 'manage',
  upload: creativeUpload,
  params: Type.Object({ id: Id('The creative.') }),
  body: Type.Object(CreativeChange.properties, { $id: 'ChangedCreative' }),
  response: CreativeSchema,
  example: { body: { category: 'Summer' } },
  errors: [generalErrors.notFound, generalErrors.conflict, filesUnavailable],
  check: checkUrl,
  permit: ({ db }, { id }) => requireCreative(db, id),
  async prepare({ id, ...input }, site, request, caller) {
    const { kind } = await requireCreative(site.database.read, id);
    return prepareFile(site, { caller, request }, kind, input);
  },
  async handle(context, { id, ...input }) {
    const before = await lockCreative(context.db, id);
    return saveCreative(context, before.kind, input, before);
  },
});
