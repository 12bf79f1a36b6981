import Type from 'typebox';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { siteName } from '../store-profile/index.ts';
import { saveTotp } from './totp-rows.ts';
import { newTotpSecret, otpauthUrl } from './totp.ts';

export const totpExists = defineError(
  'svc_api_totp_exists',
  409,
  'An authenticator app is set up already: remove it first.',
);

export const setUpTotp = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/totp',
  summary: 'Begin to set up an authenticator app',
  description:
    'The secret is for the app (RFC 6238: SHA-1, six digits, 30 seconds). It has no effect until ' +
    'POST /account/totp/confirm gets a first code; calling this again replaces it.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  beforeSecondFactor: true,
  secretAnswer: true,
  response: Type.Object(
    {
      secret: Type.String({ description: 'Base32, to type into the app.' }),
      otpauth_url: Type.String({ description: 'For a QR code.' }),
    },
    {
      $id: 'TotpSetup',
      examples: [
        {
          secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          otpauth_url:
            'otpauth://totp/Store:maya?issuer=Store&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
        },
      ],
    },
  ),
  errors: [totpExists],
  async handle({ db, site, caller, nowMs }) {
    const { id, login } = caller.person!;
    const secret = newTotpSecret();
    if (!(await saveTotp(db, site, id, secret, nowMs))) throw new ApiError(totpExists);
    const issuer = site.settings.get(siteName);
    return { secret, otpauth_url: otpauthUrl(secret, { issuer, label: login }) };
  },
});
