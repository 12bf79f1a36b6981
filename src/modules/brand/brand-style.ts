import type { Site } from '../../kernel/declare/site.ts';
import { accentColors, type ThemeAccent } from '../../web-contract/accent-colors.ts';
import { brandAccent, brandLogo, programPicture } from './brand-settings.ts';
import { brandUrl, toPicture } from './brand-wire.ts';

/** A style sheet that replaces the accent colours of `web/ui/tokens.css`. */
export function brandStyle(accent: string): string {
  const { light, dark } = accentColors(accent);
  return `:root{${tokens(light)}}@media (prefers-color-scheme:dark){:root{${tokens(dark)}}}`;
}

function tokens({ accent, strong, soft, onAccent }: ThemeAccent): string {
  return `--accent:${accent};--accent-strong:${strong};--accent-soft:${soft};--on-accent:${onAccent}`;
}

/** What every page of the site shows of its brand. */
interface PageBrand {
  /** The path of the style sheet with the colours; undefined for the built-in ones. */
  readonly style: string | undefined;
  /** The path of the logo; undefined without one. */
  readonly logo: string | undefined;
}

export function pageBrand({ settings }: Site): PageBrand {
  const accent = settings.get(brandAccent);
  const logo = settings.get(brandLogo);
  return {
    style: accent === '' ? undefined : brandUrl(`accent-${accent.slice(1)}.css`),
    logo: logo === '' ? undefined : brandUrl(logo),
  };
}

export const programPictureOf = ({ settings }: Site) =>
  toPicture(settings.get(programPicture)) ?? undefined;

/** The colours of the brand for mails; undefined for the built-in ones. */
export function mailAccent({ settings }: Site) {
  const accent = settings.get(brandAccent);
  return accent === '' ? undefined : accentColors(accent);
}
