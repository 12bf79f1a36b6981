import Type from 'typebox';
import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { needs, type Need } from '../../kernel/declare/overview.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { applicationsGroup } from '../../kernel/declare/setting-groups.ts';
import { inGroup } from '../../kernel/declare/setting.ts';
import { userChanges } from '../affiliates/index.ts';
import { mails, notices } from '../mail/index.ts';
import { reportSections, type ReportSection } from '../reports/index.ts';
import { webEnabled } from '../store-profile/index.ts';
import { alreadyApplied, registrationsClosed } from './application.ts';
import { changeRegistrationStatus } from './change-registration-status.ts';
import { alreadyAccepted } from './decision.ts';
import { followUsers } from './follow-users.ts';
import { getRegistration } from './get-registration.ts';
import { listRegistrations } from './list-registrations.ts';
import {
  acceptedMail,
  applicationNotice,
  declinedMail,
  messageMail,
  receivedMail,
  toReviewMail,
} from './mails.ts';
import { ownFields } from './own-fields.ts';
import {
  applicantMessaged,
  registrationAccepted,
  registrationCreated,
  registrationDeclined,
} from './registration-events.ts';
import { countRegistrations } from './registration-rows.ts';
import { acceptApplication } from './review/accept-application.ts';
import { batchDecisions } from './review/batch-decisions.ts';
import { declineApplication } from './review/decline-application.ts';
import { listApplications } from './review/list-applications.ts';
import { messageApplicant } from './review/message-applicant.ts';
import { reviewApplication } from './review/review-application.ts';
import { registrationEffects } from './setting-effects.ts';
import { autoAccept, codeTemplate, registrationsOpen } from './settings.ts';
import { showApplicationForm } from './show-application-form.ts';
import { showApplicationStatus } from './show-application-status.ts';
import { submitApplicationForm } from './submit-application-form.ts';
import { submitInvitationRequest } from './submit-invitation-request.ts';
import { submitRegistration } from './submit-registration.ts';
import { tables } from './tables.ts';

/** Counts applications that are pending now, regardless of the report's date range. */
const reportPending: ReportSection = {
  fields: {
    pending_registrations: Type.Integer({
      description: 'Number of applications waiting for a decision.',
    }),
  },
  read: async (db) => ({
    pending_registrations: await countRegistrations(db, { status: 'pending' }),
  }),
};

const waitingApplications: Need = {
  name: 'applications',
  title: 'Applications to decide',
  access: 'admin',
  read: async (db) => ({ count: await countRegistrations(db, { status: 'pending' }) }),
};

const pages = [
  showApplicationForm,
  submitApplicationForm,
  showApplicationStatus,
  submitInvitationRequest,
];

export const registrationsModule = defineModule({
  name: 'registrations',
  summary: 'Applications to become an affiliate, and the decisions on them',
  addon: false,
  operations: [
    listRegistrations,
    getRegistration,
    changeRegistrationStatus,
    submitRegistration,
    listApplications,
    batchDecisions,
    reviewApplication,
    acceptApplication,
    declineApplication,
    messageApplicant,
    ...pages,
  ],
  events: [registrationCreated, registrationAccepted, registrationDeclined, applicantMessaged],
  settings: inGroup(applicationsGroup, {
    'Applications open': registrationsOpen,
    'Accept automatically': autoAccept,
    'Coupon code of new affiliates': codeTemplate,
    'Own questions of the form': ownFields,
  }),
  switches: [{ setting: webEnabled, operations: pages }],
  errors: [registrationsClosed, alreadyApplied, alreadyAccepted],
  contributions: [
    ...registrationEffects.map((effect) => contribute(settingEffects, effect)),
    contribute(needs, waitingApplications),
    contribute(userChanges, followUsers),
    contribute(notices, applicationNotice),
    contribute(mails, receivedMail),
    contribute(mails, toReviewMail),
    contribute(mails, acceptedMail),
    contribute(mails, declinedMail),
    contribute(mails, messageMail),
    contribute(reportSections, reportPending),
  ],
  migrations: [creating('registrations/0001-baseline', tables)],
});
