import Type from 'typebox';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { defineSetting } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';

export const signInByLink = defineSetting(
  'accounts.sign_in_by_link',
  Type.Boolean(),
  false,
  'The sign-in page also offers a link by email instead of the password. It works once and for 15 minutes; a ' +
    'second factor is still required.',
);

/** Without the setting, the pages of mailed sign-in links answer like an unknown path. */
export function requireSignInLinks({ settings }: Site): void {
  if (!settings.get(signInByLink)) throw new ApiError(generalErrors.noRoute);
}
