import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { announce } from '../../frame/announcer.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { AreaField, Field, SelectField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { t } from '../../words.ts';

interface AcceptDialogProps {
  id: number;
  onClose(): void;
  onDone(): void;
}

/** Makes the applicant an affiliate, with a rate, a code and a group. */
export function AcceptDialog({ id, onClose, onDone }: AcceptDialogProps) {
  const { data, error, retry } = useData('applications', { id }, () =>
    api.registrations.review(id),
  );
  if (!data) {
    return (
      <Dialog title={t('console-applications.accept')} onClose={onClose}>
        <Pending error={error} retry={retry} lines={4} />
      </Dialog>
    );
  }
  const { user } = data.application;
  return (
    <Dialog
      title={t('console-applications.acceptTitle', { name: user.display_name })}
      onClose={onClose}
    >
      <Form
        action={t('console-applications.accept')}
        isSilent
        showsReasons
        submit={async (values, options) => {
          await api.registrations.accept(id, termsOf(values), options);
          announce(t('console-applications.acceptedNow', { name: user.display_name }));
          onDone();
          await refresh('applications', 'overview');
        }}
      >
        <Field
          name="coupon_code"
          label={t('console-applications.code')}
          hint={t('console-applications.codeHint')}
          defaultValue={data.proposed_code}
          // What is typed replaces it.
          onFocus={({ currentTarget }) => currentTarget.select()}
          maxLength={50}
          autocomplete="off"
        />
        <RateFields />
        <MailFields />
      </Form>
    </Dialog>
  );
}

/** The rate and the group of new affiliates. */
export function RateFields() {
  const groups =
    useData('groups', { per_page: 100 }, (input) => api.groups.list(input)).data?.items ?? [];
  return (
    <>
      <Field
        name="percent"
        label={t('console-applications.percent')}
        hint={t('console-applications.percentHint')}
        type="number"
        inputMode="decimal"
        min={0}
        max={100}
        step={0.01}
      />
      {groups.length > 0 && (
        <SelectField
          name="group"
          label={t('console-applications.group')}
          options={[
            { value: '', label: t('console-applications.noGroup') },
            ...groups.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
      )}
    </>
  );
}

/** Whether the applicant gets a mail, and what the team adds to it. */
export function MailFields() {
  return (
    <>
      <AreaField
        name="message"
        label={t('console-applications.mailMessage')}
        hint={t('console-applications.mailMessageHint')}
        rows={3}
        maxLength={2000}
      />
      <SwitchField name="send_email" label={t('console-applications.sendMail')} isOn />
    </>
  );
}

/** The terms of an acceptance in a form; empty fields are left out. */
export function termsOf(values: FormValues) {
  const { percent = '', group = '', coupon_code = '', message = '' } = values;
  return {
    ...(percent !== '' && { percent: Number(percent) }),
    ...(group !== '' && { group }),
    ...(coupon_code.trim() !== '' && { coupon_code: coupon_code.trim() }),
    message,
    send_email: values['send_email'] !== undefined,
  };
}
