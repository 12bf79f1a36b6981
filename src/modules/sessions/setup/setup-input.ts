import Type from 'typebox';

/** Accepts any text, so that a browser gets the page with messages instead of a JSON error. */
const field = Type.Optional(Type.String({ maxLength: 5000 }));

/** The fields of all pages. One that is not sent keeps what was typed before. */
export const setupInput = {
  token: Type.String({ default: '', maxLength: 5000 }),
  store_name: field,
  store_url: field,
  language: field,
  currency: field,
  timezone: field,
  percent: field,
  cookie_days: field,
  hold_days: field,
  login: field,
  email: field,
  password: field,
};
