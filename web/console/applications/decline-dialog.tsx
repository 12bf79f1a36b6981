import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { announce } from '../../frame/announcer.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AreaField, SelectField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { t } from '../../words.ts';
import { MailFields } from './accept-dialog.tsx';
import { declineReasons, reasonOptions } from './application-words.tsx';

interface DeclineDialogProps {
  id: number;
  onClose(): void;
  onDone(): void;
}

/** Declines with a reason for the team, which the mail to the applicant contains on request. */
export function DeclineDialog({ id, onClose, onDone }: DeclineDialogProps) {
  return (
    <Dialog title={t('console-applications.declineTitle')} onClose={onClose}>
      <Form
        kind="danger"
        action={t('console-applications.decline')}
        isSilent
        showsReasons
        submit={async (values, options) => {
          await api.registrations.decline(id, declineOf(values), options);
          announce(t('console-applications.declinedNow'));
          onDone();
          await refresh('applications', 'overview');
        }}
      >
        <ReasonFields />
        <MailFields />
      </Form>
    </Dialog>
  );
}

export function ReasonFields() {
  return (
    <>
      <SelectField
        name="reason"
        label={t('console-applications.reason')}
        options={reasonOptions()}
      />
      <SwitchField
        name="tell_reason"
        label={t('console-applications.tellReason')}
        hint={t('console-applications.tellReasonHint')}
        isOn={false}
      />
      <AreaField
        name="note"
        label={t('console-applications.note')}
        hint={t('console-applications.noteHint')}
        rows={2}
        maxLength={2000}
      />
    </>
  );
}

export function declineOf(values: FormValues) {
  const reason = declineReasons.find((known) => known === values['reason']);
  return {
    ...(reason && { reason, tell_reason: values['tell_reason'] !== undefined }),
    note: values['note'] ?? '',
    message: values['message'] ?? '',
    send_email: values['send_email'] !== undefined,
  };
}

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
