import { useLocation } from 'wouter-preact';
import type { Group } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';

interface CreateDialogProps {
  groups: readonly Group[];
  onClose(): void;
}

/** Creates an affiliate and mails an invitation to choose a password. */
export function CreateDialog({ groups, onClose }: CreateDialogProps) {
  const [, navigate] = useLocation();
  return (
    <Dialog title={t('console-affiliates.create')} onClose={onClose}>
      <Form
        action={t('console-affiliates.createAction')}
        submit={async (values, options) => {
          const { id } = await api.affiliates.create(
            {
              login: values['login']!,
              email: values['email']!,
              invite: true,
              ...(values['display_name'] && { display_name: values['display_name'] }),
              ...(values['code'] && { coupon: { code: values['code'] } }),
              ...(values['group'] && { groups: [values['group']] }),
            },
            options,
          );
          await refresh('affiliates', 'coupons');
          navigate(`/console/affiliates/${id}`, { replace: true });
        }}
      >
        <Field
          name="display_name"
          label={t('console-affiliates.name')}
          maxLength={100}
          autocomplete="off"
        />
        <Field
          name="email"
          type="email"
          label={t('console-affiliates.email')}
          required
          autocomplete="off"
          hint={t('console-affiliates.emailHint')}
        />
        <Field
          name="login"
          label={t('console-affiliates.login')}
          required
          maxLength={60}
          autocomplete="off"
          autocapitalize="none"
        />
        <Field
          name="code"
          label={t('console-affiliates.code')}
          maxLength={50}
          autocomplete="off"
          hint={t('console-affiliates.codeHint')}
        />
        {groups.length > 0 && (
          <SelectField
            name="group"
            label={t('console-affiliates.group')}
            options={[
              { value: '', label: t('console-affiliates.noGroup') },
              ...groups.map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        )}
      </Form>
    </Dialog>
  );
}
