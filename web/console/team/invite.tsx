import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { optionsOf } from '../../ui/options.ts';
import { t } from '../../words.ts';

export const teamRoles = ['manager', 'administrator'] as const;

/** A new administrator or manager, who gets a mail. */
export function Invite({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('console-team.inviteTitle')} onClose={onClose}>
      <p>{t('console-team.inviteText')}</p>
      <Form
        action={t('console-team.send')}
        submit={async ({ login = '', email = '', display_name, role }, options) => {
          const chosen = teamRoles.find((one) => one === role) ?? 'manager';
          const named = display_name ? { display_name } : {};
          await api.team.create({ login, email, role: chosen, ...named }, options);
          await refresh('team');
          onClose();
        }}
      >
        <Field
          name="email"
          type="email"
          label={t('console-team.email')}
          autocomplete="off"
          required
        />
        <Field
          name="login"
          label={t('console-team.login')}
          hint={t('console-team.loginHint')}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <Field
          name="display_name"
          label={t('console-team.name')}
          autocomplete="off"
          maxLength={100}
        />
        <SelectField
          name="role"
          label={t('console-team.role')}
          hint={t('console-team.roleHint')}
          required
          options={optionsOf(teamRoles, (role) => t(`console-team.role.${role}`))}
          value="manager"
        />
      </Form>
    </Dialog>
  );
}
