import { ConnectionError, TimeoutError, TributaryError } from '../sdk/src/index.ts';
import { hasWord, t } from './words.ts';

/** The sentence for people about an error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConnectionError) return t('errors.connection');
  if (error instanceof TimeoutError) return t('errors.timeout');
  if (!(error instanceof TributaryError)) return t('errors.unexpected');
  const key = `errors.${error.code}`;
  if (hasWord(key)) return t(key, { seconds: error.retryAfter ?? 0 });
  return error.status >= 500 ? t('errors.server') : t('errors.unexpected');
}

/** The sentence for people about a reason that the service gives by its code. */
export function sentenceOfCode(code: string): string {
  const key = `errors.${code}`;
  return hasWord(key) ? t(key) : t('errors.unexpected');
}
