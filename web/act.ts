import { signal } from '@preact/signals';
import { hasCode, type CallOptions } from '../sdk/src/index.ts';
import { change } from './api.ts';
import { isPassing, pause, waitMsAfter } from './waiting.ts';

/** A question that a change needs an answer to, such as the password. */
interface Question {
  answer(): void;
  giveUp(): void;
}

/** The person closed a question. The change was not made, and there is nothing to report. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** Set while a change waits for a proof of who is at the screen. */
export const wantedProof = signal<Question | undefined>(undefined);

interface ActOptions {
  /** The same for all attempts at the same change, also for those of an earlier page. */
  idempotencyKey?: string;
  /** Called with true while there is no connection, and with false before the next attempt. */
  onWait?: (isWaiting: boolean) => void;
  signal?: AbortSignal;
}

/**
 * Makes a change, whatever it takes: an ended session and an old proof are renewed in place, and while the
 * service does not answer, the change is sent again until it does. It is made once: each attempt has the same
 * idempotency key.
 */
export async function act<T>(
  run: (options: CallOptions) => Promise<T>,
  { idempotencyKey = crypto.randomUUID(), onWait, signal: stopped }: ActOptions = {},
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await change(() => run({ idempotencyKey, signal: stopped }));
    } catch (error) {
      if (hasCode(error, 'svc_api_proof_required')) {
        await askForProof();
      } else if (onWait && isPassing(error)) {
        onWait(true);
        await pause(waitMsAfter(error, attempt + 1), stopped);
        if (stopped?.aborted) throw new GivenUp();
        onWait(false);
      } else {
        throw error;
      }
    }
  }
}

function askForProof(): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    wantedProof.value = { answer: resolve, giveUp: () => reject(new GivenUp()) };
  }).finally(() => (wantedProof.value = undefined));
}
