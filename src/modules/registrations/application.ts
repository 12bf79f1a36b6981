import type { Transaction } from '../../db/database.ts';
import { system, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { HOUR_MS } from '../../shared/durations.ts';
import type { Language } from '../../shared/languages.ts';
import { findAffiliate } from '../affiliates/index.ts';
import { enqueueMail } from '../mail/index.ts';
import { createUser, findUser, listTeam, recipientOf, type UserRow } from '../users/index.ts';
import { acceptRegistration } from './decision.ts';
import { receivedMail, toReviewMail } from './mails.ts';
import { registrationCreated, emitRegistrationEvent } from './registration-events.ts';
import {
  findRegistration,
  hasPending,
  insertRegistration,
  type RegistrationRow,
} from './registration-rows.ts';
import { autoAccept, registrationsOpen } from './settings.ts';
import { statusUrlOf } from './status-token.ts';
import { networkHashOf, tracesOf } from './traces.ts';

export const registrationsClosed = defineError(
  'svc_api_registrations_closed',
  403,
  'The affiliate program is not accepting applications right now.',
);

export const alreadyApplied = defineError(
  'svc_api_already_applied',
  409,
  'This user is already an affiliate or has an application under review.',
);

export interface Application {
  /** Ignored if the caller is signed in: the application is then for the caller. */
  applicant: { login: string; email: string; display_name: string; language: Language | '' };
  coupon_code: string;
  promote: string;
  referrer: string;
  website: string;
  type: string;
  custom_fields: Record<string, string>;
  /** The network of the applicant, if the application comes from the applicant's browser. */
  network?: string;
}

export function requireOpen(site: Site): void {
  if (!site.settings.get(registrationsOpen)) throw new ApiError(registrationsClosed);
}

/** Stores an application, and accepts it if `autoAccept` is set. */
export async function submitApplication(
  tx: Transaction,
  site: Site,
  caller: Caller,
  application: Application,
  nowMs: number,
): Promise<RegistrationRow> {
  requireOpen(site);
  const user = await applicantOf(tx, site, caller, application);
  const { coupon_code, promote, referrer, website, type, custom_fields, network } = application;
  const id = await insertRegistration(tx, {
    user_id: user.id,
    coupon_code,
    promote,
    referrer,
    website,
    type,
    custom_fields: JSON.stringify(custom_fields),
    created_at: nowMs,
    ...tracesOf(user.email, website),
    network_hash: network === undefined ? '' : networkHashOf(site, network),
  });
  const row = (await findRegistration(tx, id))!;
  await emitRegistrationEvent(tx, registrationCreated, row, user.id, nowMs);
  if (site.settings.get(autoAccept)) {
    const decision = { message: '', sendEmail: true };
    return acceptRegistration(tx, site, system, row, decision, nowMs);
  }
  await mailTeam(tx, site, row, nowMs);
  const statusUrl = statusUrlOf(site, id);
  enqueueMail(tx, site, receivedMail, {
    to: recipientOf(user),
    data: {},
    ...(statusUrl !== '' && { link: statusUrl }),
    key: `${receivedMail.name}:${id}`,
    nowMs,
  });
  return row;
}

/** Applications are public: a flood of them must not fill the mailboxes of the team. */
const MAILS_AN_HOUR = 20;

async function mailTeam(
  tx: Transaction,
  site: Site,
  { id, display_name, login }: RegistrationRow,
  nowMs: number,
): Promise<void> {
  const earlier = await findRegistration(tx, id - MAILS_AN_HOUR);
  if (earlier && earlier.created_at > nowMs - HOUR_MS) return;
  for (const member of await listTeam(tx)) {
    enqueueMail(tx, site, toReviewMail, {
      to: recipientOf(member),
      data: { application_id: id, name: display_name || login },
      key: `${toReviewMail.name}:${id}:${member.id}`,
      nowMs,
    });
  }
}

async function applicantOf(
  tx: Transaction,
  site: Site,
  caller: Caller,
  { applicant }: Application,
): Promise<UserRow> {
  if (!caller.person) {
    return createUser(tx, site, { ...applicant, role: 'customer', passwordHash: null });
  }
  const { id } = caller.person;
  if ((await findAffiliate(tx, id)) || (await hasPending(tx, id))) {
    throw new ApiError(alreadyApplied);
  }
  return (await findUser(tx, id))!;
}
