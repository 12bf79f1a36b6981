import Type from 'typebox';
import { Day, Id, Nullable, StringEnum } from '../../src/kernel/declare/schemas.ts';
import { GroupName } from '../../src/modules/groups/index.ts';
import { languages } from '../../src/shared/languages.ts';

/** Fields that are columns of the same name, and empty where they are not given. */
const texts = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Its name.' }),
  category: Type.String({ maxLength: 50, description: 'Such as "Summer"; empty without one.' }),
  description: Type.String({ maxLength: 500, description: 'A remark for affiliates.' }),
  language: StringEnum(['', ...languages], { description: 'Its language; empty for any.' }),
  alt: Type.String({
    maxLength: 300,
    description: 'What the image shows, for people who do not see it.',
  }),
  text: Type.String({
    maxLength: 10_000,
    description:
      'The text of a text or an email. `{link}` and `{code}` stand for those of the affiliate; without `{link}` the link follows.',
  }),
  url: Type.String({
    maxLength: 2_000,
    description: 'The page of the store that links lead to; empty for its front page.',
  }),
};
export const textNames = Object.keys(texts) as (keyof typeof texts)[];

/** The fields that a request sets, apart from the file. */
export const creativeFields = {
  ...texts,
  groups: Type.Array(GroupName, {
    maxItems: 50,
    description:
      'The groups whose members see it. Without groups and affiliates, all affiliates do.',
  }),
  affiliates: Type.Array(Id('An affiliate.'), {
    maxItems: 200,
    uniqueItems: true,
    description: 'Affiliates who see it as well.',
  }),
  from: Nullable(Day('The first day on which affiliates see it; null without one.')),
  to: Nullable(Day('The last day on which affiliates see it; null without one.')),
};
