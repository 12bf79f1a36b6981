import Type, { type Static } from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { generalErrors, requireFound } from '../../../src/kernel/declare/errors.ts';
import { Id, LocalTime, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { findEventsOf } from '../../../src/modules/events/index.ts';
import { findEntriesOfPayout } from '../../../src/modules/ledger/index.ts';
import { findMailsByKey } from '../../../src/modules/mail/index.ts';
import { findUser, listAdministrators } from '../../../src/modules/users/index.ts';
import { payoutMailKey } from '../mails/enqueue-payout-mail.ts';
import { toReviewMail } from '../mails/payout-mails.ts';
import { payoutOperation } from '../missing-tables.ts';
import { findCalls } from '../payment/payout-calls-rows.ts';
import { findChanges, type RecordedChange } from '../payout/payout-changes-rows.ts';
import { findPayout, type PayoutRow } from '../payout/payout-rows.ts';
import { statusLabels } from '../payout/payout-status.ts';
import { OutcomeUnknownSince } from './payout-wire.ts';

/** Entries of the same instant are in this order: what happened, the record of it, and what followed. */
const kinds = ['status', 'ledger', 'event', 'gateway', 'mail'] as const;

const EntrySchema = Type.Object(
  {
    at: LocalTime('When.'),
    kind: StringEnum(kinds, {
      description:
        '`status`: the payout got this status; `gateway`: a gateway was called; `mail`: an email was queued; ' +
        '`ledger`: money moved between the balances of the coupon; `event`: an entry of the change feed.',
    }),
    title: Type.String({ description: 'The event, in a few words.' }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'Depends on `kind`.' }),
  },
  { $id: 'PayoutTimelineEntry' },
);

const TimelineSchema = Type.Object(
  {
    outcome_unknown_since: OutcomeUnknownSince,
    entries: Type.Array(EntrySchema, { description: 'Oldest first.' }),
  },
  {
    $id: 'PayoutTimeline',
    examples: [
      {
        outcome_unknown_since: null,
        entries: [
          {
            at: '2026-02-02T10:15:00',
            kind: 'status',
            title: 'In review',
            data: { status: 'pending' },
          },
          {
            at: '2026-02-02T10:15:00',
            kind: 'ledger',
            title: 'Payout 31: requested',
            data: { entry_id: 402, from: 'unpaid', to: 'pending_payout', amount: 12.5 },
          },
        ],
      },
    ],
  },
);

type Kind = (typeof kinds)[number];

interface Entry {
  readonly atMs: number;
  readonly kind: Kind;
  readonly title: string;
  readonly data: Record<string, unknown>;
}

export const getPayoutTimeline = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/payouts/{id}/timeline',
  summary: 'Everything that happened to a payout, in order',
  description:
    'Its statuses, the calls of the gateway, the emails, the entries of the ledger and of the change feed. Calls with ' +
    'the same answer are one entry, with their number in `times`. Neither destinations nor credentials ' +
    'are part of it.',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The payout.') }),
  response: TimelineSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site }, { id }) {
    const payout = requireFound(await findPayout(db, id));
    const changes = await findChanges(db, { payout_id: id });
    const parts = await Promise.all([
      ledgerEntries(db, site, id),
      feedEntries(db, site, id),
      gatewayEntries(db, site, id),
      mailEntries(db, site, payout, changes),
    ]);
    const entries = [...statusEntries(changes), ...parts.flat()].sort(byTime);
    return {
      outcome_unknown_since: site.calendar.toLocal(payout.unclear_since),
      entries: entries.map((entry) => toWire(site, entry)),
    };
  },
});

function byTime(a: Entry, b: Entry): number {
  return a.atMs - b.atMs || kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
}

function toWire(site: Site, { atMs, kind, title, data }: Entry): Static<typeof EntrySchema> {
  return { at: site.calendar.toLocal(atMs), kind, title, data };
}

function statusEntries(changes: readonly RecordedChange[]): Entry[] {
  return changes.map(({ status, changed_at }) => ({
    atMs: changed_at,
    kind: 'status',
    title: statusLabels[status],
    data: { status },
  }));
}

async function ledgerEntries(db: Reader, { currency }: Site, payoutId: number): Promise<Entry[]> {
  const found = await findEntriesOfPayout(db, { payout_id: payoutId });
  return found.map((entry) => ({
    atMs: entry.created_at,
    kind: 'ledger',
    title: entry.note,
    data: {
      entry_id: entry.id,
      from: entry.from_pool,
      to: entry.to_pool,
      amount: currency.toMajor(entry.amount),
      currency: currency.code,
    },
  }));
}

async function feedEntries(db: Reader, { database }: Site, payoutId: number): Promise<Entry[]> {
  const events = await findEventsOf(database, 'payout', payoutId);
  const ids = new Set(events.map(({ user_id }) => user_id));
  const users = await Promise.all([...ids].map((id) => findUser(db, id)));
  const names = new Map(users.flatMap((user) => (user ? [[user.id, user.display_name]] : [])));
  return events.map((event) => ({
    atMs: event.created_at,
    kind: 'event',
    title: event.info,
    data: {
      event_id: event.id,
      event: event.event,
      // Null is the system, or a user that no longer exists.
      user: names.has(event.user_id) ? { id: event.user_id, name: names.get(event.user_id) } : null,
    },
  }));
}

const actTitles = {
  prepare: 'The gateway was asked to prepare the payment',
  pay: 'The gateway was asked to pay',
  ask: 'The gateway was asked about the payment',
} as const;

async function gatewayEntries(db: Reader, { calendar }: Site, payoutId: number): Promise<Entry[]> {
  const calls = await findCalls(db, { payout_id: payoutId });
  return calls.map((call) => ({
    atMs: call.first_at,
    kind: 'gateway',
    title: `${actTitles[call.act]}: ${call.outcome}`,
    data: {
      act: call.act,
      outcome: call.outcome,
      code: call.code,
      reason: call.reason,
      transaction_id: call.transaction_id,
      times: call.times,
      last_at: calendar.toLocal(call.last_at),
    },
  }));
}

async function mailEntries(
  db: Reader,
  { calendar }: Site,
  payout: PayoutRow,
  changes: readonly RecordedChange[],
): Promise<Entry[]> {
  const recipients = [{ id: payout.user_id }, ...(await listAdministrators(db))];
  const keys = changes.flatMap(({ mail, occasion }) =>
    recipients.flatMap(({ id }) =>
      [mail, toReviewMail.name].map((name) => payoutMailKey(name, payout.id, id, occasion)),
    ),
  );
  const mails = await findMailsByKey(db, [...new Set(keys)]);
  return mails.map((mail) => ({
    atMs: mail.created_at,
    kind: 'mail',
    title: mail.subject,
    data: {
      mail_id: mail.id,
      template: mail.template,
      to: mail.to_name,
      state: mail.state,
      sent_at: calendar.toLocal(mail.sent_at),
    },
  }));
}
