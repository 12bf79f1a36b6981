import { TributaryError } from '../../../sdk/src/index.ts';

/** Why the service does not show a text, such as a placeholder that it does not know; in English. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof TributaryError)) return undefined;
  const [reason] = Object.values(error.params);
  return reason;
}
