import Type from 'typebox';
import type { Transaction } from '../../../db/database.ts';
import { ApiError } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import { GroupName } from '../../groups/index.ts';
import { acceptRegistration, declineRegistration } from '../decision.ts';
import { findRegistration, type RegistrationRow } from '../registration-rows.ts';
import { registrationStatuses } from '../tables.ts';
import { requireGroup } from './accept-application.ts';
import { decisionFields, declineFields, Percent } from './application-wire.ts';
import { lockApplication, lockToDecide } from './lock-to-decide.ts';

const APPLICATIONS_MAX = 100;

const ofOneDecision = {
  accepted: ['percent', 'group'],
  declined: ['reason', 'note', 'tell_reason'],
} as const;

export const batchDecisions = operation({
  method: 'POST',
  namespace: 'store',
  path: '/registrations/batch',
  summary: 'Accept or decline up to 100 applications',
  description:
    'One result per application, in the given order. An application that cannot be decided this way is left as it ' +
    'is, and its result says why.',
  access: 'admin',
  scope: 'write',
  proof: ({ percent, group }) => percent !== undefined || group !== undefined,
  body: Type.Object(
    {
      ids: Type.Array(Id('An application.'), {
        minItems: 1,
        maxItems: APPLICATIONS_MAX,
        uniqueItems: true,
        description: 'The applications.',
      }),
      status: StringEnum(['accepted', 'declined'], { description: 'The decision.' }),
      percent: Type.Optional(Percent),
      group: Type.Optional(GroupName),
      ...declineFields,
      ...decisionFields,
    },
    { $id: 'DecideApplications' },
  ),
  example: { body: { ids: [5, 6], status: 'declined', reason: 'full', tell_reason: true } },
  response: Type.Object(
    {
      items: Type.Array(
        Type.Object({
          id: Type.Integer({ description: 'The application.' }),
          ok: Type.Boolean({ description: 'True if this call decided it.' }),
          status: Nullable(
            StringEnum(registrationStatuses, {
              description: 'Its status now; null if there is no such application.',
            }),
          ),
          error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
        }),
      ),
    },
    {
      $id: 'DecidedApplications',
      examples: [
        {
          items: [
            { id: 5, ok: true, status: 'declined', error: null },
            {
              id: 6,
              ok: false,
              status: 'accepted',
              error: {
                code: 'svc_api_already_accepted',
                message: 'The application has been accepted, which cannot be undone.',
              },
            },
          ],
        },
      ],
    },
  ),
  check(input, errors) {
    if (input.status === undefined) return;
    const other = input.status === 'accepted' ? 'declined' : 'accepted';
    for (const name of ofOneDecision[other]) {
      if (input[name]) errors.add(name, `is only for applications that are ${other}`);
    }
  },
  async handle({ db, site, caller, nowMs }, { ids, status, percent, group, reason, ...more }) {
    const terms = {
      ...(percent !== undefined && { percent }),
      ...(group !== undefined && { group: await requireGroup(db, group) }),
    };
    const decline = {
      message: more.message,
      sendEmail: more.send_email,
      ...(reason !== undefined && { reason }),
      note: more.note,
      tellReason: more.tell_reason,
    };
    const decide = (row: RegistrationRow) =>
      status === 'accepted'
        ? acceptRegistration(db, site, caller, row, decline, nowMs, terms)
        : declineRegistration(db, site, caller, row, decline, nowMs);
    // All locks first and in one order, because accepting takes further ones.
    for (const id of ids.toSorted((a, b) => a - b)) await lockApplication(db, id);
    const items = [];
    for (const id of ids) items.push(await decideOne(db, id, status, decide));
    return { items };
  },
});

/** An application is refused before anything of it is written, so the others can be committed. */
async function decideOne(
  tx: Transaction,
  id: number,
  status: 'accepted' | 'declined',
  decide: (row: RegistrationRow) => Promise<RegistrationRow>,
) {
  try {
    const row = await lockToDecide(tx, id, status);
    return { id, ok: true, status: (await decide(row)).status, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const row = await findRegistration(tx, id);
    const { definition, message } = error;
    return {
      id,
      ok: false,
      status: row?.status ?? null,
      error: { code: definition.code, message },
    };
  }
}
