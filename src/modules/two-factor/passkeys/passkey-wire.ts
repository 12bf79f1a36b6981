import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { LocalTime, Nullable } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { PasskeyRow } from './passkey-rows.ts';

const Bytes = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });

export const PasskeyName = Type.String({
  pattern: '^[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]{0,59}$',
  description: 'A name for the list, such as the device.',
});

export const AttestationSchema = Type.Object(
  {
    id: Bytes(1400),
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Bytes(4000),
      attestationObject: Bytes(40_000),
      transports: Type.Optional(
        Type.Array(Type.String({ maxLength: 40, pattern: '^[a-z0-9-]+$' }), { maxItems: 10 }),
      ),
    }),
  },
  { description: 'The result of `navigator.credentials.create`, with binary values as base64url.' },
);
export type Attestation = Static<typeof AttestationSchema>;

/** What `navigator.credentials.get` returns, with binary values as base64url. */
const AssertionSchema = Type.Object({
  id: Bytes(1400),
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Bytes(4000),
    authenticatorData: Bytes(4000),
    signature: Bytes(12_000),
    userHandle: Type.Optional(Bytes(100)),
  }),
});
const assertion = Compile(AssertionSchema);

export function toAssertion(value: unknown): AuthenticationResponseJSON | undefined {
  if (!assertion.Check(value)) return undefined;
  const { id, response } = value;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle !== undefined && { userHandle }),
    },
    clientExtensionResults: {},
  };
}

/** Options for the browser, in the JSON form of WebAuthn. */
export const PasskeyOptions = Type.Record(Type.String(), Type.Unknown(), {
  description: 'For navigator.credentials, in the JSON form of WebAuthn.',
});

export const PasskeySchema = Type.Object(
  {
    id: Type.Integer({ description: 'The passkey.' }),
    name: Type.String({ description: 'As the user named it.' }),
    date_created: LocalTime('When it was added.'),
    last_used: Nullable(LocalTime('When it was last used; null for never.')),
  },
  {
    $id: 'Passkey',
    examples: [
      {
        id: 4,
        name: 'Phone',
        date_created: '2026-02-11T16:20:00',
        last_used: '2026-02-12T08:01:30',
      },
    ],
  },
);

export function toPasskey(row: PasskeyRow, { calendar }: Site): Static<typeof PasskeySchema> {
  return {
    id: row.id,
    name: row.name,
    date_created: calendar.toLocal(row.created_at),
    last_used: row.last_used_at === null ? null : calendar.toLocal(row.last_used_at),
  };
}
