import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { isStorable } from '../../shared/storable.ts';
import { subParametersOf } from './settings.ts';
import { perSub, subNames, type SubName } from './sub-names.ts';

/** What a link says about the place where it was published: a creative, and the affiliate's own ids. */
export type Source = Readonly<Record<SubName, string>> & { readonly creative_id: number | null };

export const SUB_LENGTH_MAX = 200;
export const SUB_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

const SUB = new RegExp(SUB_PATTERN);
/** Encoded once more, too, as in a link within a link. */
const EMAIL = /[^\s@]\s*(?:@|%40)\s*[^\s@]+\.[^\s@]/i;
const CREATIVE = /^[1-9]\d{0,14}$/;

/** Sub-ids are kept for years and leave for other systems, so no address of a person belongs there. */
export function looksLikeEmail(value: string): boolean {
  return EMAIL.test(value.normalize('NFKC'));
}

function isSub(value: string): boolean {
  return (
    value.length <= SUB_LENGTH_MAX && SUB.test(value) && isStorable(value) && !looksLikeEmail(value)
  );
}

/** The source that a link names. An invalid part counts as none, so that the click is not lost. */
export function sourceIn(
  site: Site,
  read: (parameter: string) => string | null | undefined,
): Source | undefined {
  const source = { creative_id: null as number | null, ...noSubs };
  let isGiven = false;
  for (const [parameter, field] of subParametersOf(site)) {
    const value = read(parameter);
    if (!value || source[field] !== '' || !isSub(value)) continue;
    source[field] = value;
    isGiven = true;
  }
  const creative = read('creative');
  if (creative && CREATIVE.test(creative)) {
    source.creative_id = Number(creative);
    isGiven = true;
  }
  return isGiven ? source : undefined;
}

const noSubs = perSub(() => '');

/** The source that a store sends with a click, already validated; undefined without any part. */
export function sourceOf(
  given: Partial<Record<SubName, string>> & { creative?: number | undefined },
): Source | undefined {
  const source = { creative_id: given.creative ?? null, ...perSub((name) => given[name] ?? '') };
  return isEmpty(source) ? undefined : source;
}

function isEmpty(source: Source): boolean {
  return source.creative_id === null && subNames.every((name) => source[name] === '');
}

/** Whether clicks may name this creative. */
export type KnowsCreative = (db: Reader, site: Site, creativeId: number) => Promise<boolean>;

/** The add-on that has creatives contributes it. Without it, links name none. */
export const clickableCreatives = new Point<KnowsCreative>('clicks.is-creative');

/** The names of creatives, by their numbers. */
export type NameCreatives = (
  db: Reader,
  creativeIds: readonly number[],
) => Promise<ReadonlyMap<number, string>>;

/** Contributed with `clickableCreatives`. */
export const creativeNames = new Point<NameCreatives>('clicks.creative-names');

export async function nameCreatives(
  db: Reader,
  site: Site,
  creativeIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  if (creativeIds.length === 0) return names;
  for (const name of site.registry.contributions(creativeNames)) {
    for (const [id, text] of await name(db, creativeIds)) names.set(id, text);
  }
  return names;
}

/** The source without an unknown creative; undefined if nothing is left. */
export async function knownSource(
  db: Reader,
  site: Site,
  source: Source | undefined,
): Promise<Source | undefined> {
  if (source === undefined || source.creative_id === null) return source;
  for (const knows of site.registry.contributions(clickableCreatives)) {
    if (await knows(db, site, source.creative_id)) return source;
  }
  const rest = { ...source, creative_id: null };
  return isEmpty(rest) ? undefined : rest;
}

/** A source as it is stored with its click. */
interface StoredSource extends Partial<Source> {
  /** The coupon had too many first sub-ids that day, so the click counts as one of the others. */
  readonly isOther?: true;
}

/** JSON with the parts that have a value only. */
export function storedSource(source: Source, isOther: boolean): string {
  const parts = Object.entries(source).filter(([, value]) => value !== '' && value !== null);
  return JSON.stringify({ ...Object.fromEntries(parts), ...(isOther && { isOther }) });
}

export function readSource(stored: string): { source: Source; isOther: boolean } {
  // Written by `storedSource`.
  const { isOther = false, creative_id = null, ...subs } = JSON.parse(stored) as StoredSource;
  return { source: { creative_id, ...noSubs, ...subs }, isOther };
}
