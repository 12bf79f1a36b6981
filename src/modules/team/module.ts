import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { mails } from '../mail/index.ts';
import { changeMember } from './change-member.ts';
import { inviteMember } from './invite-member.ts';
import { listTeam } from './list-team.ts';
import { lastAdministrator } from './member-change.ts';
import { notInvitable, repeatInvitation } from './repeat-invitation.ts';
import { teamUpdated } from './team-events.ts';
import { teamChangedMail } from './team-mail.ts';

export const teamModule = defineModule({
  name: 'team',
  summary: 'The people who run the store: administrators and managers',
  addon: false,
  operations: [listTeam, inviteMember, changeMember, repeatInvitation],
  events: [teamUpdated],
  errors: [lastAdministrator, notInvitable],
  contributions: [contribute(mails, teamChangedMail)],
});
