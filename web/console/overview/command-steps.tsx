import { Link } from 'wouter-preact';
import { CopyButton } from '../../ui/copy-button.tsx';
import { t } from '../../words.ts';

const MAIL_SETTINGS =
  'TRIBUTARY_SMTP_URL=smtp://user:password@mail.example:587\nTRIBUTARY_MAIL_FROM=program@store.example';

/** The mail server is part of the configuration, which only the operator of the service changes. */
export function MailStep() {
  return (
    <>
      <p class="muted">{t('console-overview.mail.text')}</p>
      <Lines text={MAIL_SETTINGS} label={t('console-overview.mail.copy')} />
      <p class="muted">{t('console-overview.mail.after')}</p>
      <p>
        <Link class="lone-link" href="/console/outbox">
          {t('console-overview.mail.waiting')}
        </Link>
      </p>
    </>
  );
}

const BACKUP_COMMAND = './tributary backup backup-$(date +%F).db';

export function BackupStep() {
  return (
    <>
      <p class="muted">{t('console-overview.backup.text')}</p>
      <Lines text={BACKUP_COMMAND} label={t('console-overview.backup.copy')} />
      <p class="muted">{t('console-overview.backup.after')}</p>
    </>
  );
}

function Lines({ text, label }: { text: string; label: string }) {
  return (
    <div class="command-lines">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
