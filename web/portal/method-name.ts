import { hasWord, t } from '../words.ts';

/** The payout method in the reader's language; the store's own name for methods of extensions. */
export function methodName({
  method_type,
  method,
}: {
  method_type: string;
  method: string;
}): string {
  const key = `portal.method.${method_type}`;
  return hasWord(key) ? t(key) : method;
}
