import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { accountsGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { affiliateExtras } from '../affiliates/index.ts';
import { mails } from '../mail/index.ts';
import { webEnabled } from '../store-profile/index.ts';
import { accountInvited, emailChanged, passwordChanged } from './account-events.ts';
import { correctLinks, pruneLinks } from './account-link.ts';
import { changePassword } from './change-password.ts';
import { hasPassword, inviteAffiliate } from './invite-affiliate.ts';
import { inviteNewAffiliate } from './invite-new-affiliate.ts';
import { confirmAddressMail, invitationMail, resetMail, signInMail } from './link-mails.ts';
import { mailLinks } from './link-requests.ts';
import {
  addressConfirmedMail,
  addressRequestedMail,
  addressTakenMail,
  passwordChangedMail,
} from './notice-mails.ts';
import { showForgot } from './pages/show-forgot.ts';
import { showConfirmEmail, showInvitation, showReset, showSignInLink } from './pages/show-link.ts';
import { showLogin } from './pages/show-login.ts';
import { submitConfirmEmail } from './pages/submit-confirm-email.ts';
import { submitForgot } from './pages/submit-forgot.ts';
import { submitLogin } from './pages/submit-login.ts';
import { submitLogout } from './pages/submit-logout.ts';
import { submitInvitation, submitReset } from './pages/submit-password.ts';
import { askForSignInLink, submitSignInLink } from './pages/submit-sign-in-link.ts';
import { requestEmail } from './request-email.ts';
import { requestReset } from './request-reset.ts';
import { linksOff, requestSignInLink } from './request-sign-in-link.ts';
import { signInByLink } from './settings.ts';
import { tables } from './tables.ts';

const pages = [
  showLogin,
  submitLogin,
  submitLogout,
  showForgot,
  submitForgot,
  showReset,
  submitReset,
  showInvitation,
  submitInvitation,
  showConfirmEmail,
  submitConfirmEmail,
  askForSignInLink,
  showSignInLink,
  submitSignInLink,
];

export const accountsModule = defineModule({
  name: 'accounts',
  summary: 'Passwords and addresses of accounts, and the emailed links that change them',
  addon: false,
  operations: [
    requestReset,
    requestSignInLink,
    changePassword,
    requestEmail,
    inviteAffiliate,
    ...pages,
  ],
  settings: inGroup(accountsGroup, { 'Sign in with an emailed link': signInByLink }),
  switches: [{ setting: webEnabled, operations: pages }],
  events: [accountInvited, passwordChanged, emailChanged],
  errors: [hasPassword, linksOff],
  jobs: [mailLinks, pruneLinks],
  contributions: [
    contribute(affiliateExtras, inviteNewAffiliate),
    ...[
      invitationMail,
      resetMail,
      signInMail,
      confirmAddressMail,
      passwordChangedMail,
      addressRequestedMail,
      addressTakenMail,
      addressConfirmedMail,
    ].map((mail) => contribute(mails, mail)),
  ],
  migrations: [creating('accounts/0001-baseline', tables)],
  correctInstants: correctLinks,
});
