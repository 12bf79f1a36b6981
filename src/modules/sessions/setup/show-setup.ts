import Type from 'typebox';
import { operation } from '../../../kernel/declare/operation.ts';
import { rendered } from '../../../kernel/cache/rendered-page.ts';
import { hasAdministrator } from '../../users/index.ts';
import { isValidSetupToken } from './setup-link.ts';
import { setupDone, setupWithoutLink } from './setup-over-page.ts';
import { firstValues, setupForm } from './setup-page.ts';

export const showSetup = operation({
  method: 'GET',
  namespace: 'site',
  path: '/setup',
  summary: 'Show the setup form',
  access: 'public',
  scope: null,
  query: Type.Object({ token: Type.String({ default: '', maxLength: 100 }) }),
  otherStatus: 410,
  response: Type.String(),
  async handle({ db, site }, { token }) {
    if (await hasAdministrator(db)) return rendered(site, 'setup is done', setupDone);
    if (token !== '' && (await isValidSetupToken(db, site, token))) {
      return setupForm(site, { token, values: firstValues(site) });
    }
    return rendered(site, 'setup without a link', setupWithoutLink);
  },
});
