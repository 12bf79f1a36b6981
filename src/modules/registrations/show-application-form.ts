import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { applicationForm, applicationsClosed, emptyForm } from './application-page.ts';
import { registrationsOpen } from './settings.ts';

export const showApplicationForm = operation({
  method: 'GET',
  namespace: 'site',
  path: '/apply',
  summary: 'Show the application form',
  access: 'public',
  scope: null,
  response: Type.String(),
  handle({ site }) {
    return rendered(site, 'application form', () =>
      site.settings.get(registrationsOpen)
        ? applicationForm(site, emptyForm)
        : applicationsClosed(site),
    );
  },
});
