import Type, { type Static } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { Point } from '../../../kernel/declare/point.ts';
import { StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { mailboxOf } from '../../../shared/email-address.ts';
import type { RegistrationRow } from '../registration-rows.ts';
import { registrationStatuses } from '../tables.ts';
import {
  earlierApplications,
  sameNetwork,
  sharing,
  userWithMailbox,
  type Other,
} from './others-rows.ts';

export const RiskNoteSchema = Type.Object(
  {
    code: Type.String({ description: 'The kind of finding, such as same_network.' }),
    level: StringEnum(['high', 'medium', 'low'], { description: 'How much it says.' }),
    message: Type.String({ description: 'The same in words.' }),
    others: Type.Array(
      Type.Object({
        user_id: Type.Integer(),
        display_name: Type.String(),
        registration_id: Type.Union([Type.Integer(), Type.Null()]),
        status: Type.Union([StringEnum(registrationStatuses), Type.Null()], {
          description: 'The status of that application; null for an affiliate who never applied.',
        }),
      }),
      { description: 'The others that it concerns, newest first; at most ten.' },
    ),
  },
  {
    $id: 'RiskNote',
    examples: [
      {
        code: 'same_network',
        level: 'medium',
        message: 'Another application was sent from the same network.',
        others: [
          { user_id: 11, display_name: 'Big Deals', registration_id: 6, status: 'declined' },
        ],
      },
    ],
  },
);

export type RiskNote = Static<typeof RiskNoteSchema>;

/** Add-ons compare what they store about a person. */
export interface RiskCheck {
  find(db: Reader, site: Site, application: RegistrationRow): Promise<RiskNote[]>;
}

export const riskChecks = new Point<RiskCheck>('registrations.risk checks');

/** What an admin should know before the decision, the most important first. */
export async function findRisks(
  db: Reader,
  site: Site,
  application: RegistrationRow,
): Promise<RiskNote[]> {
  const checks = [ownChecks, ...site.registry.contributions(riskChecks)];
  const found = await Promise.all(checks.map((check) => check.find(db, site, application)));
  const rank = { high: 0, medium: 1, low: 2 };
  return found.flat().toSorted((a, b) => rank[a.level] - rank[b.level]);
}

const ownChecks: RiskCheck = {
  async find(db, _site, application) {
    const [similar, user, sites, networks, domains, earlier, throwAway] = await Promise.all([
      sharing(db, 'mail_pattern', application),
      userWithMailbox(db, mailboxOf(application.email), application.user_id),
      sharing(db, 'website_place', application),
      sameNetwork(db, application),
      sharing(db, 'mail_domain', application),
      earlierApplications(db, application),
      isThrowAway(application.email),
    ]);
    const mailbox = mailboxOf(application.email);
    const [same, alike] = [
      similar.filter(({ email }) => mailboxOf(email) === mailbox),
      similar.filter(({ email }) => mailboxOf(email) !== mailbox),
    ];
    if (user && !same.some(({ user_id }) => user_id === user.user_id)) same.push(user);
    // An address that is similar is also of the same domain; one note is enough.
    const known = new Set(similar.map(({ user_id }) => user_id));
    const ofDomain = domains.filter(({ user_id }) => !known.has(user_id));
    return [
      ...(throwAway
        ? [
            note(
              'throw_away_address',
              'high',
              'The email address belongs to a disposable email provider.',
            ),
          ]
        : []),
      ...about(same, 'same_mailbox', 'high', 'Emails to another user arrive in the same mailbox.'),
      ...about(alike, 'similar_address', 'medium', 'Another applicant has a similar address.'),
      ...about(sites, 'same_website', 'medium', 'Another application names the same website.'),
      ...about(
        networks,
        'same_network',
        'medium',
        'Another application was sent from the same network.',
      ),
      ...about(ofDomain, 'same_mail_domain', 'low', 'Other applicants use the same email domain.'),
      ...about(earlier, 'applied_before', 'low', 'The applicant has applied before.'),
    ];
  },
};

export function about(
  others: readonly Other[],
  code: string,
  level: RiskNote['level'],
  message: string,
): RiskNote[] {
  return others.length === 0 ? [] : [note(code, level, message, others)];
}

function note(
  code: string,
  level: RiskNote['level'],
  message: string,
  others: readonly Other[] = [],
): RiskNote {
  return {
    code,
    level,
    message,
    others: others.map(({ user_id, display_name, registration_id, status }) => ({
      user_id,
      display_name,
      registration_id,
      status,
    })),
  };
}

let throwAwayDomains: Promise<ReadonlySet<string>> | undefined;

/** The list is loaded with the first review, because most processes never need it. */
async function loadThrowAwayDomains(): Promise<ReadonlySet<string>> {
  const { default: list } = await import('disposable-email-domains-js');
  return list.disposableEmailBlocklistSet();
}

async function isThrowAway(email: string): Promise<boolean> {
  const domains = await (throwAwayDomains ??= loadThrowAwayDomains());
  const labels = email.toLowerCase().split('@')[1]?.split('.') ?? [];
  // Subdomains of a throw-away provider belong to it too.
  return labels.some((_, i) => domains.has(labels.slice(i).join('.')));
}
