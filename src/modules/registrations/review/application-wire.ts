import Type, { type Static } from 'typebox';
import type { Caller } from '../../../kernel/declare/caller.ts';
import { Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { RegistrationSchema, toRegistration } from '../registration-wire.ts';
import { declineReasons } from '../tables.ts';
import type { ApplicationRow } from './application-rows.ts';

export const Percent = Type.Number({
  minimum: 0,
  maximum: 100,
  multipleOf: 0.01,
  description: "Percent of the base that the new coupon earns, instead of the store's.",
});

/** The parameters of a decision that both decisions have. */
export const decisionFields = {
  message: Type.String({
    default: '',
    maxLength: 2000,
    description: 'A message to the applicant, included in the email.',
  }),
  send_email: Type.Boolean({ default: true, description: 'Send an email to the applicant.' }),
};

export const declineFields = {
  reason: Type.Optional(
    StringEnum(declineReasons, { description: 'Why it is declined. Stored, and shown to admins.' }),
  ),
  note: Type.String({
    default: '',
    maxLength: 2000,
    description: 'A note for the team. The applicant never sees it.',
  }),
  tell_reason: Type.Boolean({
    default: false,
    description: 'True if the email gives the reason, in the language of the applicant.',
  }),
};

export const ApplicationSchema = Type.Object(
  {
    ...RegistrationSchema.properties,
    language: Type.String({
      description: 'The language of emails to the applicant; empty for the language of the site.',
    }),
    decided_by: Nullable(
      Type.Object(
        { id: Type.Integer(), display_name: Type.String() },
        {
          description: 'The user who decided; null if it is pending or was accepted automatically.',
        },
      ),
    ),
    decline_reason: Nullable(
      StringEnum(declineReasons, { description: 'Why it was declined, if a reason was given.' }),
    ),
    decline_note: Type.String({ description: 'The note of the team; empty without one.' }),
    messages: Type.Integer({ description: 'Number of messages of the team to the applicant.' }),
  },
  {
    $id: 'Application',
    examples: [
      {
        ...(RegistrationSchema as { examples?: object[] }).examples?.[0],
        language: 'en',
        decided_by: { id: 1, display_name: 'Robin Berg' },
        decline_reason: null,
        decline_note: '',
        messages: 0,
      },
    ],
  },
);

export function toApplication(
  row: ApplicationRow,
  site: Site,
  caller: Caller,
): Static<typeof ApplicationSchema> {
  return {
    ...toRegistration(row, site, caller),
    language: row.language,
    decided_by:
      row.decided_by === null ? null : { id: row.decided_by, display_name: row.decider_name ?? '' },
    decline_reason: row.decline_reason || null,
    decline_note: row.decline_note,
    messages: row.messages,
  };
}
