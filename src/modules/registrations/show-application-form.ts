import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { renderPageOnce } from '../web/index.ts';
import { emptyForm } from './application-page.ts';
import { registrationsClosed } from './application.ts';
import { registrationsOpen } from './settings.ts';

export const showApplicationForm = operation({
  method: 'GET',
  namespace: 'site',
  path: '/apply',
  summary: 'Show the application form',
  access: 'public',
  scope: null,
  response: Type.String(),
  errors: [registrationsClosed],
  handle({ site, request }) {
    if (!site.settings.get(registrationsOpen)) {
      return renderPageOnce(site, request, 'apply-closed', () => ({}), { status: 403 });
    }
    return renderPageOnce(site, request, 'apply', (language) => emptyForm(site, language));
  },
});
