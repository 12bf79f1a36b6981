import Type from 'typebox';
import { operation } from '../../../kernel/declare/operation.ts';
import { confirmAddress } from '../confirm-address.ts';
import { field, goTo, refuseOtherPages } from './form.ts';
import { linkOver } from './link-page.ts';

export const submitConfirmEmail = operation({
  method: 'POST',
  namespace: 'site',
  path: '/app/confirm-email',
  summary: 'Confirm an email address by form',
  access: 'public',
  scope: null,
  body: Type.Object({ token: field }),
  status: 303,
  otherStatus: 410,
  response: Type.String(),
  async handle({ db, site, request }, { token }) {
    refuseOtherPages(request);
    return (await confirmAddress(db, site, token))
      ? goTo('/app/login?notice=address-confirmed')
      : linkOver(site, request, { purpose: 'email', path: 'confirm-email' });
  },
});
