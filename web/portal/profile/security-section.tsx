import { useState } from 'preact/hooks';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { reloadAccount, useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { PasskeysCard } from './passkeys-card.tsx';
import { TotpSetup } from './totp-setup.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { saveFile } from '../../ui/download-button.tsx';
import './recovery-codes-dialog.css';

/** Password, authenticator app, passkeys and recovery codes. */
export function SecuritySection() {
  const { account } = useSession();
  const [codes, setCodes] = useState<readonly string[]>();
  const { two_factor: factors } = account;
  return (
    <>
      {factors.required && !factors.totp && factors.passkeys === 0 && (
        <Notice kind="warn">{t('portal-profile.security.required')}</Notice>
      )}
      <PasswordCard />
      <TotpCard onCodes={setCodes} />
      <PasskeysCard onCodes={setCodes} />
      {(factors.totp || factors.passkeys > 0) && (
        <Card title={t('portal-profile.security.codes')}>
          <p>{t('portal-profile.security.codesLeft', { count: factors.recovery_codes_left })}</p>
          <Form
            kind="quiet"
            action={t('portal-profile.security.codesRenew')}
            submit={async (_values, options) => {
              const { recovery_codes: renewed } = await api.account.recoveryCodes.create(options);
              setCodes(renewed);
              await reloadAccount();
            }}
          >
            <p class="muted">{t('portal-profile.security.codesText')}</p>
          </Form>
        </Card>
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  );
}

function PasswordCard() {
  const { account } = useSession();
  return (
    <Card title={t('accounts.password.label')}>
      <Form
        action={t('portal-profile.security.passwordAction')}
        done={t('portal-profile.security.passwordDone')}
        clears
        submit={async ({ current_password = '', new_password = '' }, options) => {
          await api.account.changePassword({ current_password, new_password }, options);
          await Promise.all([reloadAccount(), refresh('sessions')]);
        }}
      >
        {/* Password managers file the new password under this name. */}
        <input
          type="text"
          autocomplete="username"
          value={account.user.login}
          aria-label={t('portal-profile.login')}
          hidden
          readOnly
        />
        <Field
          name="current_password"
          type="password"
          label={t('portal-profile.security.passwordNow')}
          autocomplete="current-password"
          required
        />
        <Field
          name="new_password"
          type="password"
          label={t('portal-profile.security.passwordNew')}
          hint={t('portal-profile.security.passwordHint')}
          autocomplete="new-password"
          required
        />
      </Form>
    </Card>
  );
}

function TotpCard({ onCodes }: { onCodes(codes: readonly string[]): void }) {
  const { account } = useSession();
  const isOn = account.two_factor.totp;
  return (
    <Card
      title={
        <>
          {t('portal-profile.security.totp')}{' '}
          {isOn && <Pill kind="good">{t('portal-profile.security.on')}</Pill>}
        </>
      }
    >
      <p class="muted">{t('portal-profile.security.totpText')}</p>
      {isOn ? (
        <Form
          kind="danger"
          action={t('portal-profile.security.totpRemove')}
          submit={async (_values, options) => {
            await api.account.totp.delete(options);
            await reloadAccount();
          }}
        />
      ) : (
        <TotpBegin onCodes={onCodes} />
      )}
    </Card>
  );
}

function TotpBegin({ onCodes }: { onCodes(codes: readonly string[]): void }) {
  const [setup, setSetup] = useState<{ secret: string; otpauth_url: string }>();
  // A secret that was shown and not confirmed is never used again.
  const close = () => setSetup(undefined);
  return (
    <>
      <Form
        kind="quiet"
        action={t('portal-profile.security.totpBegin')}
        submit={async (_values, options) => {
          setSetup(await api.account.totp.begin(options));
        }}
      />
      {setup && (
        <Dialog title={t('portal-profile.security.totp')} onClose={close}>
          <TotpSetup
            setup={setup}
            onDone={async (codes) => {
              close();
              onCodes(codes);
              await reloadAccount();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  onClose(): void;
}

/** Shown once: the service stores only their hashes. */
function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { program } = useSession();
  const text = codes.join('\n');
  const save = () => {
    const content = `${program.name}: ${t('portal-profile.security.codes')}\n\n${text}\n`;
    saveFile(new Blob([content], { type: 'text/plain' }), 'recovery-codes.txt');
  };
  return (
    <Dialog title={t('portal-profile.security.codes')}>
      <Notice kind="warn">{t('portal-profile.security.codesOnce')}</Notice>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="dialog-actions">
        <CopyButton text={text} label={t('portal-profile.security.codesCopy')} />
        <Button kind="quiet" onClick={save}>
          {t('portal-profile.security.codesSave')}
        </Button>
      </div>
      <Button onClick={onClose}>{t('portal-profile.security.codesDone')}</Button>
    </Dialog>
  );
}
