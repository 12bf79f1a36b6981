import { useLayoutEffect, useState } from 'preact/hooks';
import { TributaryError } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { inOwnWord } from '../../words.ts';
import type { Values } from './setting-schema.ts';

export interface Effects {
  /** Sentences by setting. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Why the service would refuse a value, by setting. */
  readonly refusals: Readonly<Record<string, string>>;
  /** Settings that cannot be changed now; their sentence says why. */
  readonly blocked: ReadonlySet<string>;
  readonly state: 'loading' | 'ready' | 'failed';
}

const TYPING_MS = 400;

/** What the changes would lead to, asked as soon as the person pauses. */
export function useEffects(changes: Values): Effects {
  const text = JSON.stringify(changes);
  const [asked, setAsked] = useState(text);
  useLayoutEffect(() => {
    const timer = setTimeout(() => setAsked(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error } = useData('effects', asked === '{}' ? undefined : { asked }, async () => {
    const input = JSON.parse(asked) as Parameters<typeof api.settings.effects>[0];
    return { asked, effects: (await api.settings.effects(input)).effects };
  });
  const isCurrent = asked === text && data?.asked === text;
  const effects = isCurrent ? data.effects : [];
  const isFailed = asked === text && error !== undefined;
  return {
    texts: textsOf(effects),
    refusals: isFailed && error instanceof TributaryError ? error.params : {},
    blocked: new Set(effects.filter(({ refused }) => refused).map(({ setting }) => setting)),
    state: isCurrent ? 'ready' : isFailed ? 'failed' : 'loading',
  };
}

function textsOf(effects: readonly { setting: string; text: string }[]): Effects['texts'] {
  const texts = new Map<string, string[]>();
  for (const { setting, text } of effects) {
    texts.set(setting, [...(texts.get(setting) ?? []), inOwnWord(text)]);
  }
  return texts;
}
