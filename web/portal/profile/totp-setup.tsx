import { api } from '../../api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';
import { lazyScreen } from '../../frame/lazy-screen.tsx';
import './totp-setup.css';

const LazyQr = lazyScreen(async () => (await import('../links/qr.tsx')).Qr).View;

interface TotpSetupProps {
  setup: { secret: string; otpauth_url: string };
  onDone(recoveryCodes: readonly string[]): Promise<void>;
}

/** The secret for the app as a picture and as text, then a first code that proves that it arrived. */
export function TotpSetup({ setup, onDone }: TotpSetupProps) {
  return (
    <>
      <p>{t('portal-profile.security.totpScan')}</p>
      {/* The text below says the same, for readers that cannot scan it. */}
      <LazyQr text={setup.otpauth_url} alt="" />
      <div class="totp-secret">
        <span>
          <span class="field-hint">{t('portal-profile.security.totpSecret')}</span>
          <code>{setup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        </span>
        <CopyButton text={setup.secret} label={t('portal-profile.security.totpCopy')} />
      </div>
      <Form
        action={t('portal-profile.security.totpConfirm')}
        submit={async ({ code = '' }, options) => {
          const { recovery_codes: codes } = await api.account.totp.confirm(
            { code: code.replaceAll(/\s/g, '') },
            options,
          );
          await onDone(codes);
        }}
      >
        <Field
          name="code"
          label={t('portal-profile.security.totpCode')}
          inputMode="numeric"
          autocomplete="one-time-code"
          required
        />
      </Form>
    </>
  );
}
