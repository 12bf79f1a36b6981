import Type from 'typebox';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { filesUnavailable } from '../../../src/modules/files/index.ts';
import { creativeFields } from '../creative-fields.ts';
import { CreativeSchema } from '../creative-wire.ts';
import {
  checkUrl,
  CreativeChange,
  creativeUpload,
  prepareFile,
  requireRoom,
  saveCreative,
  tooManyCreatives,
} from '../creative.ts';
import { creativeKinds } from '../tables.ts';

export const createCreative = operation({
  method: 'POST',
  namespace: 'store',
  path: '/creatives',
  summary: 'Create a creative',
  description:
    'An `image` needs `content` and `alt`, a `file` needs `content`, a `text` and an `email` need `text`. The file is ' +
    'checked by its content; an image is written again with nothing but its pixels, and gets a small picture. The body ' +
    'may be `multipart/form-data` instead of JSON, with the file as the part `content`.',
  access: 'admin',
  scope: 'manage',
  upload: creativeUpload,
  body: Type.Object(
    {
      ...CreativeChange.properties,
      kind: StringEnum(creativeKinds, { description: 'What it is.' }),
      name: creativeFields.name,
    },
    { $id: 'NewCreative' },
  ),
  status: 201,
  response: CreativeSchema,
  example: {
    body: { kind: 'text', name: 'Short post', text: 'I pack with Alpine Supply: {link}' },
    response: {
      kind: 'text',
      name: 'Short post',
      category: '',
      description: '',
      language: '',
      alt: '',
      text: 'I pack with Alpine Supply: {link}',
      url: '',
      groups: [],
      from: null,
      file: null,
    },
  },
  errors: [tooManyCreatives, filesUnavailable],
  check: checkUrl,
  permit: ({ db }) => requireRoom(db),
  prepare: (input, site, request, caller) =>
    prepareFile(site, { caller, request }, input.kind, input),
  handle: (context, { kind, ...input }) => saveCreative(context, kind, input),
});
