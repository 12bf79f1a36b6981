import { parseCookie } from 'cookie';
import { hostCookie } from './host-cookie.ts';
import { languages, type Language } from './languages.ts';

/** The last choice of the reader. Not a secret: the portal sets it too, from the person's profile. */
export function languageCookieName(secure: boolean): string {
  return hostCookie('tributary_language', secure);
}

const HEADER_LENGTH_MAX = 500;

export function knownLanguage(text: string | undefined): Language | undefined {
  return languages.find((language) => language === text);
}

/** The language of the reader's last choice, or else the first supported one of the browser. */
export function readerLanguage(headers: {
  cookie?: string | undefined;
  'accept-language'?: string | undefined;
}): Language | undefined {
  const cookies = parseCookie(headers.cookie ?? '');
  const chosen = cookies[languageCookieName(true)] ?? cookies[languageCookieName(false)];
  return knownLanguage(chosen) ?? preferredLanguage(headers['accept-language'] ?? '');
}

/** The first supported language of Accept-Language, by quality. */
export function preferredLanguage(header: string): Language | undefined {
  const wanted = header
    .slice(0, HEADER_LENGTH_MAX)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.find((one) => one.trim().startsWith('q='))?.trim();
      return { tag: tag.split('-')[0], quality: quality ? Number(quality.slice(2)) : 1 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const language = knownLanguage(tag);
    if (language) return language;
  }
  return undefined;
}
