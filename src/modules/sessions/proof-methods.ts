import type { RequestFacts } from '../../kernel/declare/operation.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { UserRow } from '../users/index.ts';

/** A way to prove who one is, other than the password. */
export interface ProofMethod {
  /** The parameter of `POST /session/proof` that this method reads. */
  readonly parameter: 'code' | 'passkey';
  /** Whether the value proves that the caller is this user. It runs outside of a transaction. */
  verify(attempt: {
    site: Site;
    user: UserRow;
    value: unknown;
    request: RequestFacts;
  }): Promise<boolean>;
}

export const proofMethods = new Point<ProofMethod>('proof methods');
