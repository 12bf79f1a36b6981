import Type, { type TSchema, type TUnsafe } from 'typebox';
import Format from 'typebox/format';
import { isCalendarDay } from '../../shared/dates.ts';
import { EMAIL_ADDRESS_PATTERN } from '../../shared/email-address.ts';

// The format's own check would take 2026-02-30 for a day.
Format.Set('date', isCalendarDay);

/** One of a few words. */
export function StringEnum<const T extends string>(
  values: readonly T[],
  options: { default?: NoInfer<T>; description?: string } = {},
): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

/** A value or null, in the notation of JSON Schema 2020 that OpenAPI 3.1 speaks. */
export function Nullable<T extends TSchema>(schema: T) {
  // The description is copied to the union, so that generators find it at the field.
  const { description } = schema as { description?: string };
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/**
 * What an operation reads by itself, item by item, so that a faulty item is refused alone. The contract
 * lets everything pass; the document shows what is expected.
 */
export function ReadLater(expected: TSchema): TUnsafe {
  return Type.Unsafe<unknown>({ documentedAs: expected });
}

export const Id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });

/** The one rule for e-mail addresses, wherever one comes in. */
export const EmailAddress = (description: string) =>
  Type.String({ pattern: EMAIL_ADDRESS_PATTERN, description });

/** Beside amounts where their currency is not known otherwise, as in an event. */
export const CurrencyCode = Type.String({
  description: "The store's currency, of all amounts here.",
});

/** A day as requests give it, Y-m-d. */
export const Day = (description: string) => Type.String({ format: 'date', description });

/** An instant as answers give it: the site's own time, without an offset. */
export const LocalTime = (description: string) =>
  Type.String({ pattern: LOCAL_TIME_PATTERN, description });

export const LOCAL_TIME_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$';

/** The parameters of every collection. */
export const pageParameters = {
  page: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: 'Which page, from 1.',
  }),
  per_page: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'How many items a page holds.',
  }),
};

/** What was wrong with the input of a refused request. */
export const faultSchemas = {
  params: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.String()), Type.Array(Type.String())], {
      description: 'The faulty parameters with the reason, or the names of the missing ones.',
    }),
  ),
  invalid: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Beside missing parameters: the faulty ones with the reason.',
    }),
  ),
};

const errorData = {
  status: Type.Integer({ description: 'The HTTP status.' }),
  ...faultSchemas,
};
const retryAfter = Type.Integer({ description: 'Seconds to wait before the next attempt.' });

const ErrorDataSchema = Type.Object(
  { ...errorData, retry_after: Type.Optional(retryAfter) },
  { $id: 'ErrorData', additionalProperties: true },
);

/** Of rate limits and lock-outs. */
export const RetryErrorDataSchema = Type.Object(
  { ...errorData, retry_after: retryAfter },
  { $id: 'RetryErrorData', additionalProperties: true },
);

/** Every refusal. The document lists the codes of each operation and status. */
export const ErrorSchema = Type.Object(
  {
    code: Type.String({ description: 'What went wrong, for programs.' }),
    message: Type.String({ description: 'What went wrong, for people.' }),
    data: ErrorDataSchema,
  },
  { $id: 'ApiError' },
);
