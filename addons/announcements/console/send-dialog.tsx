import { useId } from 'preact/hooks';
import type { Announcement } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { Button } from '../../../web/ui/button.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { t } from '../../../web/words.ts';
import { MailServerNotice } from './mail-server.tsx';

interface SendDialogProps {
  draft: Announcement;
  /** Whom it goes to; undefined while that is not known. */
  receivers: { readonly count: number; readonly sentence: string } | undefined;
  onClose(): void;
}

/** Asks before a draft is sent, with the number of people who get it. */
export function SendDialog({ draft, receivers, onClose }: SendDialogProps) {
  const { id, send_at, channels } = draft;
  const reason = useId();
  if (!receivers) {
    return (
      <Dialog title={t('console-announcements.sendTitle')} onClose={onClose}>
        <p role="status">{t('console-announcements.counting')}</p>
        <div class="form-actions">
          <Button busy>{t('console-announcements.sendNow')}</Button>
        </div>
      </Dialog>
    );
  }
  const { count, sentence } = receivers;
  const action = t(
    send_at === null ? 'console-announcements.sendNow' : 'console-announcements.schedule',
  );
  // At its time there may be receivers.
  if (count === 0 && send_at === null) {
    return (
      <Dialog title={t('console-announcements.sendTitle')} onClose={onClose}>
        <p id={reason}>
          {sentence}. {t('console-announcements.noReceiversText')}
        </p>
        <div class="form-actions">
          <Button disabled aria-describedby={reason}>
            {action}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('console-announcements.sendTo', { count })} onClose={onClose}>
      <p class="announcement-to">{sentence}</p>
      <p>{t('console-announcements.sendText')}</p>
      {send_at !== null && <p>{formatDate(send_at, 'exact')}</p>}
      {channels.includes('mail') && <MailServerNotice />}
      <Form
        action={action}
        submit={async (_values, options) => {
          try {
            await api.announcements.send(id, { receivers: count }, options);
          } finally {
            // Also after a refusal because their number has changed.
            await refresh('announcements');
          }
          onClose();
        }}
      />
    </Dialog>
  );
}
