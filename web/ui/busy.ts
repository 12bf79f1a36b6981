import { useState } from 'preact/hooks';
import { GivenUp } from '../act.ts';
import { sentenceOf } from '../error-words.ts';

/** For a button that is no form: whether its work is under way, and why it failed, in a sentence. */
export function useBusy() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const run = (work: () => Promise<unknown>): void => {
    setBusy(true);
    setError(undefined);
    void work()
      .catch((caught: unknown) => {
        if (!(caught instanceof GivenUp)) setError(sentenceOf(caught));
      })
      .finally(() => setBusy(false));
  };
  return { isBusy, error, run };
}
