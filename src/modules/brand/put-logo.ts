import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { FileContent } from '../../shared/base64-file.ts';
import { sizeText } from '../../shared/byte-size.ts';
import { setBrandFile } from './brand-file.ts';
import { brandUrl, fileFacts } from './brand-wire.ts';
import { FILE_BYTES_MAX, PNG_BYTES_MAX, readLogo, SVG_BYTES_MAX } from './read-image.ts';

/** A circle. */
const EXAMPLE =
  'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA4IDgiPjxjaXJjbGUgY3g9IjQiIGN5PSI0IiByPSI0Ii8+PC9zdmc+';
const FILE = { description: 'The file, in base64 or as a part of a form.', example: EXAMPLE };

export const putLogo = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/brand/logo',
  summary: 'Set the logo of the store',
  description:
    `An SVG file of at most ${sizeText(SVG_BYTES_MAX)}, which pages show as an image, so that its scripts and ` +
    'links have no effect; or a PNG file of at most ' +
    `${sizeText(PNG_BYTES_MAX)} and 1024 × 1024 pixels.`,
  access: 'admin',
  scope: 'manage',
  upload: { content: 'content', name: null, bytesMax: FILE_BYTES_MAX },
  body: Type.Object({ content: FileContent(FILE_BYTES_MAX, FILE) }, { $id: 'SetLogo' }),
  response: Type.Object(fileFacts, { $id: 'LogoSet' }),
  example: {
    body: { content: EXAMPLE },
    response: { url: '/app/brand/logo-9f86d081884c7d65.svg', width: 8, height: 8 },
  },
  prepare: ({ content }) => readLogo(content),
  async handle(context) {
    const { name, width, height } = context.prepared;
    await setBrandFile(context, 'logo', context.prepared);
    return { url: brandUrl(name), width, height };
  },
});
