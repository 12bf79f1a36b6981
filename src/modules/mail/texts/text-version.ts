import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { HttpResponse } from '../../../kernel/declare/http-response.ts';
import { toMailText, type MailTextSchema } from './text-wire.ts';

type MailText = Static<typeof MailTextSchema>;

/** The text with the tag of its version. */
export function answerText(...text: Parameters<typeof toMailText>): HttpResponse<MailText> {
  const body = toMailText(...text);
  return new HttpResponse(body, { headers: { ETag: tagOf(body) } });
}

/** Hashes all of it, because a cache compares the tag too. */
function tagOf(text: MailText): string {
  const hash = createHash('sha256').update(JSON.stringify(text)).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}

/** Throws if an If-Match header does not name the current version. */
export function requireTextVersion(ifMatch: string | undefined, current: MailText): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  // A proxy that compresses makes tags weak: W/"…".
  const tags = [...ifMatch.matchAll(/"[^"]*"/g)].map(([tag]) => tag);
  if (tags.includes(tagOf(current))) return;
  const name = current.changed?.user.display_name;
  throw new ApiError(generalErrors.changedMeanwhile, {
    ...(name && { message: `Changed since by ${name}. Nothing was saved.` }),
  });
}
