import Type, { type TSchema, type TUnsafe } from 'typebox';
import Format from 'typebox/format';
import { isCalendarDay } from '../../shared/dates.ts';
import { EMAIL_ADDRESS_PATTERN } from '../../shared/email-address.ts';

// TypeBox's own check accepts 2026-02-30.
Format.Set('date', isCalendarDay);

/** A string enum with a literal type. */
export function StringEnum<const T extends string>(
  values: readonly T[],
  options: { default?: NoInfer<T>; description?: string } = {},
): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

/** A value or null, in the notation of JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export function Nullable<T extends TSchema>(schema: T) {
  // Client generators look for the description at the field, so it is copied to the union. `TSchema`
  // does not declare annotations.
  const { description } = schema as { description?: string };
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/**
 * An array item or value that the operation validates itself, so that an invalid item is refused alone.
 * The contract accepts anything; the OpenAPI document shows the expected schema.
 */
export function ReadLater(expected: TSchema): TUnsafe {
  return Type.Unsafe<unknown>({ documentedAs: expected });
}

export const Id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });

/** Every operation that accepts an email address uses this schema. */
export const EmailAddress = (description: string) =>
  Type.String({ pattern: EMAIL_ADDRESS_PATTERN, description });

/** Accompanies amounts whose currency is not known from the context, such as those of an event. */
export const CurrencyCode = Type.String({
  description: "The store's currency, of all amounts here.",
});

/** A day in a request, YYYY-MM-DD. */
export const Day = (description: string) => Type.String({ format: 'date', description });

/** A time in a response: the site's local time, without an offset. */
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

/** The fields of an error that describe an invalid input. */
export const errorSchemas = {
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
  ...errorSchemas,
};
const bytesMax = Type.Integer({
  description: 'Of a body or a file that is too large: how many bytes it may have.',
});
const retryAfter = Type.Integer({ description: 'Seconds to wait before the next attempt.' });

const ErrorDataSchema = Type.Object(
  { ...errorData, bytes_max: Type.Optional(bytesMax), retry_after: Type.Optional(retryAfter) },
  { $id: 'ErrorData', additionalProperties: true },
);

/** The error data of rate limits and lock-outs. */
export const RetryErrorDataSchema = Type.Object(
  { ...errorData, retry_after: retryAfter },
  { $id: 'RetryErrorData', additionalProperties: true },
);

/** The body of every error response. The document lists the codes per operation and status. */
export const ErrorSchema = Type.Object(
  {
    code: Type.String({ description: 'The error code, for programs.' }),
    message: Type.String({ description: 'The error message, for people.' }),
    data: ErrorDataSchema,
  },
  { $id: 'ApiError' },
);
