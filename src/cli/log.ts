import { destination, pino, type DestinationStream, type Logger } from 'pino';

export type LogFormat = 'auto' | 'pretty' | 'json';

/**
 * Logs to standard error: readable lines on a terminal, JSON otherwise. Code does not log secrets; the
 * redaction is a second safeguard.
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

/** Imported on demand, because a service that logs JSON does not need it. */
async function prettyLines(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    destination: destination({ fd: 2, sync: true }),
    colorize: process.stderr.isTTY && !process.env['NO_COLOR'],
    // The local time with its offset.
    translateTime: 'SYS:HH:MM:ss o',
    // Fields follow the message on the same line.
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
