import Type, { type Static, type TOptional } from 'typebox';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { defineManagerSetting } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { languages, type Language } from '../../shared/languages.ts';
import { countries } from '../../web-contract/countries.ts';

const FIELDS_MAX = 20;
const CHOICES_MAX = 50;
/** The limit of the values of `custom_fields`. */
const ANSWER_LENGTH_MAX = 1000;

const Line = Type.String({ minLength: 1, maxLength: 300 });

/** Every language is optional. `fromEntries` forgets the keys. */
const perLanguage = Object.fromEntries(
  languages.map((language) => [language, Type.Optional(Line)]),
) as Record<Language, TOptional<typeof Line>>;

/** One text for all languages, or a text per language. */
const Text = Type.Union([
  Line,
  Type.Object(perLanguage, { additionalProperties: false, minProperties: 1 }),
]);

const OwnField = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
    label: Text,
    type: StringEnum(['text', 'long_text', 'choice', 'url', 'country']),
    required: Type.Boolean(),
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: CHOICES_MAX,
        uniqueItems: true,
      }),
    ),
    help: Type.Optional(Text),
  },
  { additionalProperties: false },
);

export type OwnField = Static<typeof OwnField>;

export const ownFields = defineManagerSetting(
  'registrations.fields',
  Type.Array(OwnField, { maxItems: FIELDS_MAX }),
  [],
  'Additional fields of the application form: a list of {name, label, type, required, choices, help}. The type is text, ' +
    'long_text, choice (with choices), url or country; label and help are a text or one per language, {"en": …, "de": …}. ' +
    'Answers are in `custom_fields`.',
  errorOfFields,
);

function errorOfFields(fields: OwnField[]): string | undefined {
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return `must not name a field twice: ${twice}`;
  for (const { name, type, choices } of fields) {
    if (type === 'choice' && (choices?.length ?? 0) < 2) {
      return `must give at least two choices for ${name}`;
    }
    if (type !== 'choice' && choices) return `must not give choices for ${name}, which is ${type}`;
  }
  return undefined;
}

export function ownTextIn(text: OwnField['label'], site: Language, language: Language): string {
  if (typeof text === 'string') return text;
  return text[language] ?? text[site] ?? Object.values(text)[0]!;
}

/** Why an answer is refused. */
export type AnswerError = 'required' | 'choice' | 'url' | 'country' | 'long';

/** The error of each declared field. Fields that the site has not declared are not looked at. */
export function answerErrors(
  { settings }: Site,
  answers: Readonly<Record<string, string>>,
): Record<string, AnswerError> {
  const errors: Record<string, AnswerError> = {};
  for (const field of settings.get(ownFields)) {
    const answer = Object.hasOwn(answers, field.name) ? answers[field.name]! : '';
    const error = errorOfAnswer(field, answer);
    if (error) errors[field.name] = error;
  }
  return errors;
}

const URL_PATTERN = /^https?:\/\/[^\s"<>]+$/;

function errorOfAnswer(field: OwnField, answer: string): AnswerError | undefined {
  if (answer.trim() === '') return field.required ? 'required' : undefined;
  if (answer.length > ANSWER_LENGTH_MAX) return 'long';
  switch (field.type) {
    case 'choice':
      return field.choices!.includes(answer) ? undefined : 'choice';
    case 'url':
      return URL_PATTERN.test(answer) ? undefined : 'url';
    case 'country':
      return countries.includes(answer) ? undefined : 'country';
    default:
      return undefined;
  }
}

/** The reasons of the API. The form has its own words in the reader's language. */
export const answerReasons: Record<AnswerError, string> = {
  required: 'is required',
  choice: 'must be one of the choices',
  url: 'must be a URL that starts with https:// or http://',
  country: 'must be a country code like DE',
  long: `must have at most ${ANSWER_LENGTH_MAX} characters`,
};
