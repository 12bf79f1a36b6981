import { useLayoutEffect, useState } from 'preact/hooks';
import { TributaryError } from '../../../sdk/src/index.ts';
import { useData } from '../../data.ts';
import type { FieldErrors } from '../../ui/field.tsx';
import { isUnfinished } from './draft.ts';

export interface Preview {
  /** The last sentence, also while the draft cannot be said as one. */
  readonly sentence: string | undefined;
  /** The id of the rule above that always decides before this one. */
  readonly hiddenBy: number | null;
  readonly isCurrent: boolean;
  readonly faults: FieldErrors;
}

const TYPING_MS = 300;

/** The draft as a sentence of the service, asked as soon as the person pauses. */
export function usePreview<D>(
  draft: D,
  isComplete: boolean,
  ask: (draft: D) => Promise<{ sentence: string; hidden_by?: number | null }>,
  id: number | undefined,
): Preview {
  const text = JSON.stringify(draft);
  const [asked, setAsked] = useState(text);
  useLayoutEffect(() => {
    const timer = setTimeout(() => setAsked(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isReady = asked === text && isComplete && !isUnfinished(draft);
  const input = isReady ? { preview: asked, id } : undefined;
  // What was asked is a draft of before.
  const load = async () => ({ asked, ...(await ask(JSON.parse(asked) as D)) });
  const { data, error } = useData('effects', input, load);
  return {
    sentence: data?.sentence,
    hiddenBy: data?.hidden_by ?? null,
    isCurrent: data?.asked === text,
    faults: asked === text ? faultsOf(error) : {},
  };
}

/** Why the service refuses values, by the names of their fields. */
export function faultsOf(error: unknown): FieldErrors {
  const params = error instanceof TributaryError ? Object.entries(error.params) : [];
  // The first reason of a field says the most.
  return Object.fromEntries(
    params.flatMap(([path, reasons]) => faultsIn(path, reasons)).toReversed(),
  );
}

/** `rate`, `steps.steps.1.percent must be <= 100; …` → `rate.steps.steps[1].percent`, `must be <= 100`. */
function faultsIn(path: string, reasons: string): [name: string, reason: string][] {
  return reasons.split('; ').map((reason) => {
    const [, inside, rest] =
      /^([a-z_]+(?:\.\w+)*|\d+(?:\.\w+)*) (must .*|does not .*)$/.exec(reason) ?? [];
    const place = inside === undefined ? path : `${path}.${inside}`;
    const name = place.replaceAll(/\.(\d+)/g, '[$1]').replace(/\[\d+\]$/, '');
    return [name, rest ?? reason];
  });
}
