import type { Mail } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh, useData, useRefreshing } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Form } from '../../ui/form.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { titleOf } from '../mails/mail-title.ts';

const POLL_MS = 2_000;
const kinds = {
  pending: 'warn',
  held: 'plain',
  sent: 'good',
  failed: 'bad',
  unknown: 'warn',
} as const;

export function MailState({ mail }: { mail: Pick<Mail, 'state'> }) {
  return <Pill kind={kinds[mail.state]}>{t(`console-outbox.state.${mail.state}`)}</Pill>;
}

/** One mail: what became of it, what its recipient sees, and another attempt if it failed. */
export function MailDialog({ id, onClose }: { id: number; onClose(): void }) {
  const { data: mail, error, retry } = useData('outbox', { id }, () => api.outbox.get(id));
  // It is sent in the background.
  useRefreshing(mail?.state === 'pending' ? POLL_MS : undefined, 'outbox');
  if (!mail) {
    return (
      <Dialog title={t('console-outbox.mail')} onClose={onClose}>
        <Pending error={error} retry={retry} lines={6} />
      </Dialog>
    );
  }
  return (
    <Dialog title={mail.subject} onClose={onClose}>
      <Facts
        facts={[
          { name: t('console-outbox.state'), value: <MailState mail={mail} /> },
          { name: t('console-outbox.to'), value: <span class="outbox-text">{mail.to}</span> },
          { name: t('console-outbox.mail'), value: titleOf(mail.template) },
          {
            name: t('console-outbox.created'),
            value: formatDate(mail.date_created, 'exact'),
          },
          mail.date_sent !== null && {
            name: t('console-outbox.sent'),
            value: formatDate(mail.date_sent, 'exact'),
          },
          { name: t('console-outbox.attempts'), value: mail.attempts },
          mail.last_error !== '' && {
            name: t('console-outbox.error'),
            value: <span class="outbox-text">{mail.last_error}</span>,
          },
        ]}
      />
      {(mail.state === 'failed' || mail.state === 'unknown') && (
        <Form
          action={t('console-outbox.retry')}
          submit={async (_values, options) => {
            await api.outbox.retry(id, options);
            await refresh('outbox', 'overview');
          }}
        />
      )}
      <iframe
        class="outbox-frame"
        title={t('console-outbox.preview')}
        src={`/svc/store/v1/outbox/${id}/preview`}
        sandbox=""
      />
    </Dialog>
  );
}
