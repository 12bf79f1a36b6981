import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { accentColors, type ThemeAccent } from '../../web-contract/accent-colors.ts';
import { affiliateWords } from '../../web-contract/affiliate-words.ts';
import { affiliateWord, siteName } from '../store-profile/index.ts';
import { findBrandFile } from './brand-file-rows.ts';
import { brandAccent, brandLogo, programPicture } from './brand-settings.ts';

export const fileFacts = {
  url: Type.String({ description: 'The path of the file on this service.' }),
  width: Type.Integer({ description: 'Pixels.' }),
  height: Type.Integer({ description: 'Pixels.' }),
};

const ThemeColor = Type.Object(
  {
    color: Type.String({ description: 'The colour that pages use.' }),
    ratio: Type.Number({ description: 'Its lowest contrast; at least 4.5 (WCAG AA).' }),
    asked_ratio: Type.Number({ description: 'The lowest contrast of the colour as it was set.' }),
    adjusted: Type.Boolean({ description: 'True if it differs from the colour as it was set.' }),
  },
  { $id: 'ThemeColor' },
);

export const BrandSchema = Type.Object(
  {
    name: Type.String({ description: 'The name of the store.' }),
    affiliate_word: StringEnum(affiliateWords, { description: 'The word for affiliates.' }),
    accent: Nullable(
      Type.Object({ color: Type.String(), light: ThemeColor, dark: ThemeColor }, { $id: 'Accent' }),
    ),
    logo: Nullable(
      Type.Object({ ...fileFacts, type: StringEnum(['svg', 'png']) }, { $id: 'Logo' }),
    ),
    picture: Nullable(
      Type.Object(fileFacts, { $id: 'Picture', description: 'On the program page.' }),
    ),
  },
  {
    $id: 'Brand',
    examples: [
      {
        name: 'Alpine Supply',
        affiliate_word: 'affiliate',
        accent: {
          color: '#0b6b53',
          light: { color: '#0b6b53', ratio: 5.57, asked_ratio: 5.57, adjusted: false },
          dark: { color: '#4d9c82', ratio: 4.51, asked_ratio: 2.33, adjusted: true },
        },
        logo: { url: '/app/brand/logo-9f86d081884c7d65.svg', type: 'svg', width: 120, height: 32 },
        picture: {
          url: '/app/brand/picture-60303ae22b998861-1200x630.jpg',
          width: 1200,
          height: 630,
        },
      },
    ],
  },
);
export type Brand = Static<typeof BrandSchema>;

export async function toBrand(db: Reader, site: Site): Promise<Brand> {
  const { settings } = site;
  const accent = settings.get(brandAccent);
  const file = settings.get(brandLogo);
  const logo = file === '' ? undefined : await findBrandFile(db, { name: file });
  return {
    name: settings.get(siteName),
    affiliate_word: settings.get(affiliateWord),
    accent: accent === '' ? null : toAccent(accent),
    logo: logo
      ? {
          url: brandUrl(logo.name),
          type: logo.name.endsWith('.svg') ? 'svg' : 'png',
          width: logo.width,
          height: logo.height,
        }
      : null,
    picture: toPicture(settings.get(programPicture)),
  };
}

/** The size is part of the name. */
export function toPicture(file: string): Brand['picture'] {
  const [, width, height] = /-(\d+)x(\d+)\./.exec(file) ?? [];
  if (file === '') return null;
  return { url: brandUrl(file), width: Number(width), height: Number(height) };
}

export function toAccent(color: string): NonNullable<Brand['accent']> {
  const { light, dark } = accentColors(color);
  const toTheme = ({ accent, ratio, askedRatio }: ThemeAccent) => ({
    color: accent,
    ratio,
    asked_ratio: askedRatio,
    adjusted: accent !== color,
  });
  return { color, light: toTheme(light), dark: toTheme(dark) };
}

export const brandUrl = (file: string): string => `/app/brand/${file}`;
