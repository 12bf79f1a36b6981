import Type, { type Static } from 'typebox';
import { namespacePaths } from '../../src/kernel/declare/operation.ts';
import { LocalTime, Nullable, StringEnum } from '../../src/kernel/declare/schemas.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { DisplayName } from '../../src/modules/users/index.ts';
import { languages } from '../../src/shared/languages.ts';
import type { PageRow } from './page-rows.ts';
import { pageStates } from './tables.ts';

/** The fields that a request sets, apart from the picture. */
export const pageFields = {
  name: Type.String({
    ...DisplayName,
    description: 'The name on the page, at most 100 characters.',
    examples: ['Maya'],
  }),
  text: Type.String({
    maxLength: 2_000,
    description: 'Plain text; an empty line begins a paragraph.',
  }),
  language: StringEnum(['', ...languages], {
    description: 'The language of the text; empty if it is not known.',
  }),
};

const fields = {
  id: Type.Integer({ description: 'The number of this version.' }),
  user_id: Type.Integer({ description: 'The affiliate.' }),
  state: StringEnum(pageStates, {
    description:
      'shown: visitors see it; waiting: for the review; declined: the team does not want it shown.',
  }),
  ...pageFields,
  picture: Nullable(
    Type.String({
      description: 'Where the team and the affiliate read the picture; null without one.',
    }),
  ),
  reason: Type.String({ description: 'Why it was declined.' }),
  date: LocalTime('When it was written.'),
};

const example = {
  id: 12,
  user_id: 7,
  state: 'shown' as const,
  name: 'Maya',
  text: 'I have carried this backpack over the Alps twice.',
  language: 'en' as const,
  picture: 'https://affiliates.example.com/svc/store/v1/personal-pages/12/picture',
  reason: '',
  date: '2026-11-21T09:40:11',
};

export const PersonalPageSchema = Type.Object(fields, {
  $id: 'PersonalPage',
  additionalProperties: false,
  description: 'A version of the page of an affiliate.',
  examples: [example],
});
export type PersonalPage = Static<typeof PersonalPageSchema>;

export const ListedPersonalPageSchema = Type.Object(
  { ...fields, affiliate: Type.String({ description: "The affiliate's name in the program." }) },
  { $id: 'ListedPersonalPage', examples: [{ ...example, affiliate: 'Maya Ortiz' }] },
);

export const OwnPersonalPageSchema = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether the store shows such pages.' }),
    review: Type.Boolean({ description: 'Whether the team reviews what an affiliate writes.' }),
    url: Nullable(
      Type.String({ description: 'The address of the page; null without an active coupon.' }),
    ),
    shown: Nullable(PersonalPageSchema),
    proposed: Nullable(PersonalPageSchema),
  },
  {
    $id: 'OwnPersonalPage',
    examples: [
      {
        enabled: true,
        review: true,
        url: 'https://affiliates.example.com/with/MAYA10',
        shown: example,
        proposed: null,
      },
    ],
  },
);

export function toPage({ publicUrl, calendar }: Site, row: PageRow): PersonalPage {
  const { id, user_id, state, name, text, language, file_id, reason, created_at } = row;
  const picture = `${publicUrl}${namespacePaths.store}/personal-pages/${id}/picture`;
  return {
    id,
    user_id,
    state,
    name,
    text,
    // Only values of the schema are written.
    language: language as PersonalPage['language'],
    picture: file_id === null ? null : picture,
    reason,
    date: calendar.toLocal(created_at),
  };
}
