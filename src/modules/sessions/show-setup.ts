import Type from 'typebox';
import { operation } from '../../kernel/operation.ts';
import { rendered } from '../../kernel/rendered.ts';
import { isValidSetupToken } from './setup-link.ts';
import { setupForm, setupOver } from './setup-page.ts';

export const showSetup = operation({
  method: 'GET',
  namespace: 'site',
  path: '/setup',
  summary: 'The form that makes the first administrator',
  access: 'public',
  scope: null,
  query: Type.Object({ token: Type.String({ default: '', maxLength: 100 }) }),
  response: Type.String(),
  async handle({ db, site }, { token }) {
    if (await isValidSetupToken(db, site, token)) return setupForm({ token });
    return rendered(site, 'setup is over', setupOver);
  },
});
