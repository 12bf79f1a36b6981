import { signal } from '@preact/signals';
import { warnBeforeLeaving } from '../../frame/unsaved.ts';
import { isSame, type Values, type Version } from './setting-schema.ts';

/** Changes that are not saved yet. */
export interface Draft {
  /** What the person saw when the first change was made; its tag finds changes of others. */
  readonly base: Version;
  readonly changes: Values;
}

/** Kept while the person looks at other screens. */
export const draft = signal<Draft | undefined>(undefined);
// A reload would lose it: settings can be secrets, which do not belong into the storage of a browser.
warnBeforeLeaving(() => draft.value !== undefined);
/** What was typed and is no value, by setting. */
export const errors = signal<Readonly<Record<string, string>>>({});
/** Rises when the fields must show the stored values again. */
export const resets = signal(0);

export function setChange(current: Version, key: string, value: unknown): void {
  const base = draft.value?.base ?? current;
  const { [key]: _, ...others } = draft.value?.changes ?? {};
  const changes = isSame(value, base.values[key]) ? others : { ...others, [key]: value };
  setError(key, undefined);
  draft.value = Object.keys(changes).length === 0 ? undefined : { base, changes };
}

export function setError(key: string, error: string | undefined): void {
  const { [key]: _, ...others } = errors.value;
  errors.value = error === undefined ? others : { ...others, [key]: error };
}

/** Continues with the same changes on what is stored by now. */
export function rebase(base: Version): void {
  const mine = Object.entries(draft.value?.changes ?? {});
  const changes = Object.fromEntries(
    mine.filter(([key, value]) => !isSame(value, base.values[key])),
  );
  draft.value = Object.keys(changes).length === 0 ? undefined : { base, changes };
}

/**
 * After the person has changed this setting itself, outside of the draft: goes on with what is stored, unless others
 * have changed settings too, which saving will then show.
 */
export function adopt(stored: Version, ownKey: string): void {
  if (!draft.value) return;
  const { base } = draft.value;
  const own = { [ownKey]: stored.values[ownKey] };
  if (isSame(stored.values, { ...base.values, ...own })) rebase(stored);
}

export function dropChange(key: string): void {
  const { base } = draft.value!;
  setChange(base, key, base.values[key]);
  resets.value += 1;
}

export function discard(): void {
  draft.value = undefined;
  errors.value = {};
  resets.value += 1;
}
