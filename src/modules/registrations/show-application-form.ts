import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { applicationForm, applicationsClosed, nothingFilled } from './application-page.ts';
import { registrationsOpen } from './settings.ts';

export const showApplicationForm = operation({
  method: 'GET',
  namespace: 'site',
  path: '/apply',
  summary: 'The form to apply with',
  access: 'public',
  scope: null,
  response: Type.String(),
  handle({ site }) {
    return rendered(site, 'application form', () =>
      site.settings.get(registrationsOpen)
        ? applicationForm(site, nothingFilled)
        : applicationsClosed(site),
    );
  },
});
