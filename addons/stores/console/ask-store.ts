import { hasCode, type CallOptions } from '../../../sdk/src/index.ts';

/** A store may be slow, and a call that it refused is not repeated. */
const STORE_CALL: CallOptions = { timeout: 60_000, retries: 0 };

type Asked<T> = { readonly value: T } | { readonly refusal: string };

/**
 * Calls an operation that calls a store. A store that refuses or does not answer is a result: its sentence is shown,
 * and nothing is tried again.
 */
export async function askStore<T>(
  options: CallOptions,
  call: (options: CallOptions) => Promise<T>,
): Promise<Asked<T>> {
  try {
    return { value: await call({ ...options, ...STORE_CALL }) };
  } catch (error) {
    const isAnswer =
      hasCode(error, 'svc_api_store_failed') || hasCode(error, 'svc_api_test_order_failed');
    if (!isAnswer) throw error;
    return { refusal: error.message };
  }
}

export interface ConnectedAs {
  readonly id: number;
  readonly name: string;
}

/** The connection that the store has already, if that is why it was refused. */
export function connectedAs(error: unknown): ConnectedAs | undefined {
  if (!hasCode(error, 'svc_api_store_connected')) return undefined;
  const { connection_id: id, name } = error.data;
  return { id, name };
}
