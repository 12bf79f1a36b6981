import Type, { type Static } from 'typebox';

/** What an affiliate has entered about itself. */
export const ProfileSchema = Type.Object(
  {
    phone: Type.String({ description: 'Empty where none is known, as the fields below.' }),
    website: Type.String({ description: 'The address of a website.' }),
    promote: Type.String({ description: 'How the affiliate promotes the store.' }),
    referrer: Type.String({ description: 'How the affiliate found the program.' }),
    custom_fields: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Further data that the site stores about an affiliate.',
    }),
  },
  {
    $id: 'AffiliateProfile',
    examples: [
      {
        phone: '+1 555 0100',
        website: 'https://maya.example',
        promote: 'Reviews of outdoor gear on my blog',
        referrer: 'A friend',
        custom_fields: {},
      },
    ],
  },
);

export type Profile = Static<typeof ProfileSchema>;

export const ProfileInput = Type.Object(
  {
    phone: Type.Optional(Type.String({ maxLength: 50 })),
    website: Type.Optional(Type.String({ maxLength: 2048, pattern: '^(https?://[^\\s"<>]+)?$' })),
    promote: Type.Optional(Type.String({ maxLength: 5000 })),
    referrer: Type.Optional(Type.String({ maxLength: 500 })),
    custom_fields: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 }),
    ),
  },
  {
    $id: 'AffiliateProfileInput',
    description: 'Fields that are not given stay unchanged; custom_fields are replaced completely.',
  },
);

export function readProfile(stored: string): Profile {
  return withInput(
    { phone: '', website: '', promote: '', referrer: '', custom_fields: {} },
    // Only `withInput` writes the column, so its JSON has this shape.
    JSON.parse(stored) as Static<typeof ProfileInput>,
  );
}

/** Copies field by field, so that unknown fields that a client sends are not stored. */
export function withInput(profile: Profile, input: Static<typeof ProfileInput> = {}): Profile {
  return {
    phone: input.phone ?? profile.phone,
    website: input.website ?? profile.website,
    promote: input.promote ?? profile.promote,
    referrer: input.referrer ?? profile.referrer,
    custom_fields: input.custom_fields ?? profile.custom_fields,
  };
}
