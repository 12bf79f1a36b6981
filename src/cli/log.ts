import { destination, pino, type DestinationStream, type Logger } from 'pino';

export type LogFormat = 'auto' | 'pretty' | 'json';

/**
 * Lines on standard error: for people on a terminal, of JSON elsewhere. Secrets are not logged; should one
 * slip in, it is masked.
 */
export async function createLog(level: string, format: LogFormat = 'auto'): Promise<Logger> {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stderr.isTTY);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    isPretty ? await prettyLines() : destination({ fd: 2, sync: false, minLength: 0 }),
  );
}

/** Loaded only where it is used: a service whose log goes to a file or a collector does not pay for it. */
async function prettyLines(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    destination: destination({ fd: 2, sync: true }),
    colorize: process.stderr.isTTY && !process.env['NO_COLOR'],
    translateTime: 'SYS:HH:MM:ss',
    // The facts stand behind the message, on its line.
    singleLine: true,
  });
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
