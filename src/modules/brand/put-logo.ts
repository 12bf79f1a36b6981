import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { storeSettings } from '../settings/index.ts';
import { brandLogo } from './brand-settings.ts';
import { brandUrl } from './brand-wire.ts';
import { saveLogo } from './logo-rows.ts';
import { PNG_BYTES_MAX, readLogo, SVG_BYTES_MAX } from './read-logo.ts';

/** A circle. */
const EXAMPLE =
  'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA4IDgiPjxjaXJjbGUgY3g9IjQiIGN5PSI0IiByPSI0Ii8+PC9zdmc+';

export const putLogo = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/brand/logo',
  summary: 'Set the logo of the store',
  description:
    `An SVG file of at most ${SVG_BYTES_MAX / 1000} kB, which pages show as an image, so that its scripts and ` +
    'links have no effect; or a PNG file of at most ' +
    `${PNG_BYTES_MAX / 1000} kB and 1024 × 1024 pixels.`,
  access: 'admin',
  scope: 'manage',
  body: Type.Object(
    {
      content: Type.String({
        minLength: 1,
        maxLength: Math.ceil(PNG_BYTES_MAX / 3) * 4,
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        description: 'The file in base64.',
        examples: [EXAMPLE],
      }),
    },
    { $id: 'SetLogo' },
  ),
  response: Type.Object(
    {
      url: Type.String({ description: 'The path of the file on this service.' }),
      width: Type.Integer({ description: 'Pixels.' }),
      height: Type.Integer({ description: 'Pixels.' }),
    },
    { $id: 'LogoSet' },
  ),
  example: {
    body: { content: EXAMPLE },
    response: { url: '/app/brand/logo-9f86d081884c7d65.svg', width: 8, height: 8 },
  },
  prepare: ({ content }) => readLogo(content),
  async handle({ db, site, caller, nowMs, prepared }) {
    const { name, content, width, height } = prepared;
    const setting = { setting: brandLogo, value: name };
    await storeSettings(db, site, [setting], { userId: actorId(caller), nowMs });
    await saveLogo(db, { name, content, width, height });
    return { url: brandUrl(name), width, height };
  },
});
