import Type from 'typebox';
import type { Site } from '../../kernel/declare/site.ts';
import { sameSecret } from '../../shared/secrets.ts';
import { webEnabled } from '../store-profile/index.ts';

export const StatusToken = Type.String({ default: '', maxLength: 100 });

/** A token that shows the status of one application. It is computed from the id, so nothing is stored. */
export function statusTokenOf({ keyring }: Site, id: number): string {
  return `${id}.${keyring.hash('application status', String(id))}`;
}

/** The page with the status of an application; empty while the site serves no pages. */
export function statusUrlOf(site: Site, id: number): string {
  if (!site.settings.get(webEnabled)) return '';
  return `${site.publicUrl}/apply/status?token=${statusTokenOf(site, id)}`;
}

/** The id in the token, or undefined if the token is not one of ours. */
export function applicationIn(site: Site, token: string): number | undefined {
  const id = /^([1-9]\d{0,15})\./.exec(token)?.[1];
  if (id === undefined || !sameSecret(token, statusTokenOf(site, Number(id)))) return undefined;
  return Number(id);
}
