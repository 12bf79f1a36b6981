import { ApiError, defineError } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { reasonAgainstUrl } from '../../../src/modules/deliveries/index.ts';
import { didYouMean } from '../../../src/shared/nearest.ts';
import { postbackClient } from '../delivery/client.ts';
import { macroNames, unknownMacros, withoutMacros } from './macros.ts';

const LENGTH_MAX = 2_048;

export const invalidPostbackUrl = defineError(
  'svc_api_invalid_postback_url',
  400,
  'The url must use https and a public address, without username, password or fragment, at most 2,048 characters. ' +
    'Macros may be in the path and in the query.',
);

/** Refuses addresses that no postback may be sent to. */
export async function requireUsableUrl(site: Site, url: string): Promise<void> {
  const reason =
    reasonAgainstMacros(url) ??
    (await reasonAgainstUrl(site, postbackClient, withoutMacros(url), { isNameTold: false }));
  if (reason === undefined) return;
  throw new ApiError(invalidPostbackUrl, { message: `The url cannot be used. ${reason}` });
}

function reasonAgainstMacros(url: string): string | undefined {
  if (url.length > LENGTH_MAX) return 'It is longer than 2,048 characters.';
  const host = /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? url;
  if (/[{}]/.test(host)) return 'Its host must not contain a macro.';
  const [unknown] = unknownMacros(url);
  if (unknown !== undefined)
    return `There is no macro {${unknown}}.${didYouMean(unknown, macroNames)}`;
  if (/[{}]/.test(withoutMacros(url))) return 'A brace is not closed or not opened.';
  return undefined;
}
