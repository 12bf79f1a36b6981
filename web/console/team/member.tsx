import { useState } from 'preact/hooks';
import type { CallOptions, TeamMember } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { optionsOf } from '../../ui/options.ts';
import { t } from '../../words.ts';
import { teamRoles } from './invite.tsx';

interface MemberProps {
  member: TeamMember;
  onClose: () => void;
}

/** One person of the team: role, and what else can be done about the account. */
export function Member({ member, onClose }: MemberProps) {
  const [isInvited, setInvited] = useState(false);
  const change = async (
    input: Parameters<typeof api.team.update>[1],
    options: CallOptions,
  ): Promise<void> => {
    await api.team.update(member.id, input, options);
    await refresh('team');
    onClose();
  };
  return (
    <Dialog title={member.display_name || member.login} onClose={onClose}>
      <Facts
        facts={[
          { name: t('console-team.login'), value: member.login },
          { name: t('console-team.email'), value: member.email },
          { name: t('console-team.memberSince'), value: formatDate(member.date_created, 'day') },
        ]}
      />
      {isInvited && <Notice kind="good">{t('console-team.invitedAgain')}</Notice>}
      <Form
        action={t('console-team.save')}
        submit={({ role }, options) =>
          change({ role: teamRoles.find((one) => one === role) ?? member.role }, options)
        }
      >
        <SelectField
          name="role"
          label={t('console-team.changeRole')}
          hint={t('console-team.roleNote')}
          required
          options={optionsOf(teamRoles, (role) => t(`console-team.role.${role}`))}
          value={member.role}
        />
      </Form>
      {!member.has_password && !member.disabled && (
        <Form
          kind="quiet"
          action={t('console-team.inviteAgain')}
          submit={async (_values, options) => {
            await api.team.inviteAgain(member.id, options);
            setInvited(true);
          }}
        >
          <p class="muted">{t('console-team.inviteAgainText')}</p>
        </Form>
      )}
      <Form
        kind={member.disabled ? 'quiet' : 'danger'}
        action={member.disabled ? t('console-team.enable') : t('console-team.disable')}
        submit={(_values, options) => change({ disabled: !member.disabled }, options)}
      >
        <p class="muted">
          {member.disabled ? t('console-team.enableText') : t('console-team.disableText')}
        </p>
      </Form>
    </Dialog>
  );
}
