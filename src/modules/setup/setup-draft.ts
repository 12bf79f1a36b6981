import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { hostCookie, setHostCookie } from '../../shared/host-cookie.ts';
import { sameSecret } from '../../shared/secrets.ts';
import { setupFields, type SetupTexts } from './setup-fields.ts';

/**
 * What was typed so far, without the password, travels in a cookie that belongs to the setup link. Nothing is
 * stored before the last page, and going back, reloading or choosing another language loses nothing.
 */
const NAME = 'tributary_setup';
const HALF_HOUR_S = 30 * 60;
/** Browsers drop cookies of more than 4,096 bytes. */
const LENGTH_MAX = 3_900;

export function readDraft(site: Site, request: RequestFacts, token: string): Partial<SetupTexts> {
  const [encoded = '', seal = ''] = (request.cookie(hostCookie(NAME, request.secure)) ?? '').split(
    '.',
  );
  if (encoded === '' || !sameSecret(seal, sealOf(site, token, encoded))) return {};
  // The seal says that `draftCookie` wrote it.
  return JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Partial<SetupTexts>;
}

/** The header that keeps a draft. One that is too long is not kept. */
export function draftCookie(
  site: Site,
  { secure }: RequestFacts,
  token: string,
  texts: Partial<SetupTexts>,
): Record<string, string> {
  const kept = setupFields
    .filter((field) => field !== 'password' && texts[field] !== undefined)
    .map((field) => [field, texts[field]]);
  const encoded = Buffer.from(JSON.stringify(Object.fromEntries(kept))).toString('base64url');
  if (encoded.length > LENGTH_MAX) return {};
  const value = `${encoded}.${sealOf(site, token, encoded)}`;
  return { 'Set-Cookie': setHostCookie(NAME, value, { secure, maxAge: HALF_HOUR_S }) };
}

export function endDraft({ secure }: RequestFacts): string {
  return setHostCookie(NAME, '', { secure, maxAge: 0 });
}

function sealOf({ keyring }: Site, token: string, encoded: string): string {
  return keyring.hash('setup draft', `${token} ${encoded}`);
}
