import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api.ts';
import { loadPart } from '../../new-version.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';
import './totp-setup.css';

interface TotpSetupProps {
  setup: { secret: string; otpauth_url: string };
  onDone(recoveryCodes: readonly string[]): void;
}

/** The secret for the app as a picture and as text, then a first code that proves that it arrived. */
export function TotpSetup({ setup, onDone }: TotpSetupProps) {
  return (
    <>
      <p>{t('portal.security.totpScan')}</p>
      <QrCode text={setup.otpauth_url} />
      <div class="totp-secret">
        <span>
          <span class="field-hint">{t('portal.security.totpSecret')}</span>
          <code>{setup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        </span>
        <CopyButton text={setup.secret} label={t('portal.security.totpCopy')} />
      </div>
      <Form
        action={t('portal.security.totpConfirm')}
        submit={async ({ code = '' }, options) => {
          const { recovery_codes: codes } = await api.account.totp.confirm(
            { code: code.replaceAll(/\s/g, '') },
            options,
          );
          onDone(codes);
        }}
      >
        {(errors) => (
          <Field
            name="code"
            label={t('portal.security.totpCode')}
            inputMode="numeric"
            autocomplete="one-time-code"
            required
            error={errors['code']}
          />
        )}
      </Form>
    </>
  );
}

async function drawQrCode(text: string): Promise<{ d: string; size: number }> {
  const { encode } = await loadPart(() => import('uqr'));
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return { d: squares.join(''), size };
}

/** The text below says the same, for readers that cannot scan it. */
function QrCode({ text }: { text: string }) {
  const [path, setPath] = useState<{ d: string; size: number }>();
  useEffect(() => {
    void drawQrCode(text).then(setPath);
  }, [text]);
  return (
    <div class="qr-code" aria-hidden="true">
      {path && (
        <svg viewBox={`0 0 ${path.size} ${path.size}`} shape-rendering="crispEdges">
          <path d={path.d} />
        </svg>
      )}
    </div>
  );
}
