import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';

/** A question to the applicant, by mail. */
export function MessageDialog({ id, onClose }: { id: number; onClose(): void }) {
  return (
    <Dialog title={t('console-applications.messageTitle')} onClose={onClose}>
      <p class="muted">{t('console-applications.messageText')}</p>
      <Form
        action={t('console-applications.send')}
        showsReasons
        submit={async ({ text = '' }, options) => {
          await api.registrations.messages.create(id, { text }, options);
          onClose();
          await refresh('applications');
        }}
      >
        <AreaField
          name="text"
          label={t('console-applications.messageField')}
          rows={6}
          maxLength={5000}
          required
        />
      </Form>
    </Dialog>
  );
}
