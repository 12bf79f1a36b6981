import { hostCookie } from '../src/shared/host-cookie.ts';
import type { Language } from '../src/shared/languages.ts';

const YEAR_S = 365 * 86_400;

/** The server chooses the words of the next page by this cookie. */
export function keepLanguage(language: Language): void {
  const secure = location.protocol === 'https:';
  const name = hostCookie('tributary_language', secure);
  document.cookie = `${name}=${language}; Path=/; SameSite=Lax; Max-Age=${YEAR_S}${secure ? '; Secure' : ''}`;
}
