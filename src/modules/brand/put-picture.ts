import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { FileContent } from '../../shared/base64-file.ts';
import { sizeText } from '../../shared/byte-size.ts';
import { setBrandFile } from './brand-file.ts';
import { brandUrl, fileFacts } from './brand-wire.ts';
import { FILE_BYTES_MAX, PICTURE_BYTES_MAX, PICTURE_SIDE_MAX, readPicture } from './read-image.ts';

/** A white pixel. */
const EXAMPLE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==';
const FILE = { description: 'The file, in base64 or as a part of a form.', example: EXAMPLE };

export const putPicture = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/brand/picture',
  summary: 'Set the picture of the program page',
  description:
    'Shown on the program page, and by messengers and social networks beside a link to it. A JPEG or PNG file of at ' +
    `most ${sizeText(PICTURE_BYTES_MAX)} and ${PICTURE_SIDE_MAX} × ${PICTURE_SIDE_MAX} pixels; 1200 × 630 fits best. ` +
    'What a camera has recorded beside the image, also its orientation, is removed.',
  access: 'admin',
  scope: 'manage',
  upload: { content: 'content', name: null, bytesMax: FILE_BYTES_MAX },
  body: Type.Object({ content: FileContent(FILE_BYTES_MAX, FILE) }, { $id: 'SetPicture' }),
  response: Type.Object(fileFacts, { $id: 'PictureSet' }),
  example: {
    body: { content: EXAMPLE },
    response: { url: '/app/brand/picture-9f86d081884c7d65-1x1.png', width: 1, height: 1 },
  },
  prepare: ({ content }) => readPicture(content),
  async handle(context) {
    const { name, width, height } = context.prepared;
    await setBrandFile(context, 'picture', context.prepared);
    return { url: brandUrl(name), width, height };
  },
});
