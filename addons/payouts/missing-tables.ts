import { ApiError, defineError } from '../../src/kernel/declare/errors.ts';
import { operation } from '../../src/kernel/declare/operation.ts';
import type { Site } from '../../src/kernel/declare/site.ts';

export const unavailable = defineError(
  'svc_api_unavailable',
  501,
  'Payouts are not available on this installation: their tables are missing.',
);

/** Returns `otherwise` if the payout tables are missing. */
export async function ifStored<T>(site: Site, read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (site.database.dialect.isMissingTable(error)) return otherwise;
    throw error;
  }
}

/** Declares an operation that answers 501 if the payout tables are missing. */
export const payoutOperation: typeof operation = (definition) => {
  const declared = operation(definition);
  return {
    ...declared,
    errors: [...(declared.errors ?? []), unavailable],
    async handle(context, input) {
      try {
        return await declared.handle(context, input);
      } catch (error) {
        if (!context.site.database.dialect.isMissingTable(error)) throw error;
        context.site.log.error({ err: error }, 'a payout table is missing');
        throw new ApiError(unavailable);
      }
    },
  };
};
