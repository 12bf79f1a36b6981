import { destination, pino, type Logger } from 'pino';

/** Lines of JSON on standard error. Secrets are not logged; should one slip in, it is masked. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    destination({ fd: 2, sync: false, minLength: 0 }),
  );
}

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'csrf_token',
  'details',
  'password',
  'secret',
  'token',
];
