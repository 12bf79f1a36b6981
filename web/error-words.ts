import { ConnectionError, TimeoutError, TributaryError } from '../sdk/src/index.ts';
import { formatBytes } from './format.ts';
import { hasWord, t } from './words.ts';

const TOO_LARGE = 'rest_payload_too_large';

/** The sentence for people about an error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConnectionError) return t('errors.connection');
  if (error instanceof TimeoutError) return t('errors.timeout');
  if (!(error instanceof TributaryError)) return t('errors.unexpected');
  if (error.code === TOO_LARGE) return limitOf(error) ?? t('errors.unexpected');
  const key = `errors.${error.code}`;
  if (hasWord(key)) return t(key, { seconds: error.retryAfter ?? 0 });
  return error.status >= 500 ? t('errors.server') : t('errors.unexpected');
}

/** How large what was sent may be, if it is too large. */
export function limitOf(error: unknown): string | undefined {
  if (!(error instanceof TributaryError)) return undefined;
  // `instanceof` does not know which code it has.
  const { bytes_max: bytes } = (error as TributaryError).data;
  return typeof bytes === 'number'
    ? t(`errors.${TOO_LARGE}`, { size: formatBytes(bytes) })
    : undefined;
}

/** The sentence for people about a reason that the service gives by its code. */
export function sentenceOfCode(code: string): string {
  const key = `errors.${code}`;
  return hasWord(key) ? t(key) : t('errors.unexpected');
}
