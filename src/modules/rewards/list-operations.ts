import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { invalidParameters } from '../../kernel/call/parameters.ts';
import { ApiError, generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { operation, type RequestFacts } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { findGroupByName } from '../groups/index.ts';
import { languageOf } from '../web/index.ts';
import type { Stored } from './list-rows.ts';
import type { Changing, Listed, OpenList, OwnerList } from './owner-list.ts';
import { missingIn, readNames } from './rule-names.ts';
import { Version, type RuleInput } from './rule-schema.ts';
import type { RuleOrder, RuleWho } from './rule.ts';

/* What the operations on rules and on bonuses do alike. */

export const changing = {
  namespace: 'store',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
} as const;

export interface Asking {
  readonly db: Reader;
  readonly site: Site;
  readonly nowMs: number;
  readonly request: RequestFacts;
}

/** The fields that name something; the others are stored as they are sent. */
interface ListInput {
  readonly who?: NonNullable<RuleInput['who']>;
  readonly order?: RuleOrder;
}
type Placed<I> = I & { readonly position?: number };

export async function createIn<T extends Listed, Wire>(
  list: OwnerList<T, Wire>,
  context: Asking & Changing,
  { position, ...input }: Placed<ListInput>,
): Promise<Wire> {
  const open = await list.open(context);
  list.requireRoom(open);
  const item = await withInput(list, context, input);
  const last = (open.stored.at(-1)?.position ?? 0) + 1;
  const created = await list.insert(context, { item, position: last, version: open.next });
  return finish(list, context, open, [...open.stored, created], created, position);
}

export async function changeIn<T extends Listed, Wire>(
  list: OwnerList<T, Wire>,
  context: Asking & Changing,
  input: Placed<ListInput> & { readonly id: number; readonly version?: number },
): Promise<Wire> {
  const { id, version: seen, position, ...changes } = input;
  const open = await list.open(context);
  const before = findIn(open.stored, id);
  const item = await withInput(list, context, changes, before.item);
  const isMoved = position !== undefined && position !== open.stored.indexOf(before) + 1;
  // Also when a change is sent again because its first response was lost.
  if (!isMoved && isDeepStrictEqual(item, before.item)) {
    return answerOne(list, context, open.stored, before);
  }
  requireSeen(list, before, seen);
  const changed = { ...before, item, version: open.next };
  await list.update(context, before.item, changed);
  const stored = open.stored.map((one) => (one === before ? changed : one));
  return finish(list, context, open, stored, changed, isMoved ? position : undefined);
}

/** The operation that deletes one of a list. */
export function deleting<T extends Listed>(
  list: OwnerList<T, unknown>,
  { deleted: { $id, version }, ...facts }: Deleting,
) {
  return operation({
    method: 'DELETE',
    ...changing,
    ...facts,
    params: Type.Object({ id: Id(`The ${list.is.noun}.`) }),
    query: Type.Object({ version: Type.Optional(Version) }),
    response: Type.Object(
      {
        deleted: Type.Literal(true),
        version: Type.Integer({ description: 'The version of the list after it.' }),
      },
      { $id, examples: [{ deleted: true, version }] },
    ),
    errors: [generalErrors.notFound, generalErrors.conflict],
    async handle(context, { id, version: seen }) {
      const open = await list.open(context);
      const stored = findIn(open.stored, id);
      requireSeen(list, stored, seen);
      await list.delete(context, stored);
      await list.finish(context, open);
      return { deleted: true as const, version: open.next };
    },
  });
}

interface Deleting {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The name of the response, and the version in its example. */
  readonly deleted: { readonly $id: string; readonly version: number };
}

/** Ends a change of one, and answers it in its place. */
async function finish<T extends Listed, Wire>(
  list: OwnerList<T, Wire>,
  context: Asking & Changing,
  open: OpenList<T>,
  stored: readonly Stored<T>[],
  changed: Stored<T>,
  position: number | undefined,
): Promise<Wire> {
  const placed = position === undefined ? stored : movedTo(stored, changed, position);
  if (position !== undefined) await list.rows.place(context.db, placed);
  await list.finish(context, open);
  return answerOne(list, context, placed, changed);
}

/** The list with one of them at a position, from 1; beyond the end is at the end. */
export function movedTo<T extends Listed>(
  stored: readonly Stored<T>[],
  moved: Stored<T>,
  position: number,
): Stored<T>[] {
  return stored.filter(({ item }) => item.id !== moved.item.id).toSpliced(position - 1, 0, moved);
}

export function findIn<T extends Listed>(stored: readonly Stored<T>[], id: number): Stored<T> {
  return requireFound(stored.find(({ item }) => item.id === id));
}

/** Throws if it was changed after the version that the caller has seen. */
function requireSeen<T extends Listed>(
  list: OwnerList<T, unknown>,
  { version }: Stored<T>,
  seen = version,
): void {
  if (version > seen) throw changedSince(list, version);
}

export function changedSince(list: OwnerList<any, unknown>, version: number): ApiError {
  return new ApiError(generalErrors.conflict, {
    message: `Another user has changed the ${list.is.many} since. Nothing was saved.`,
    data: { version },
  });
}

/** Those of a list as responses show them: groups by name, with what follows from the list. */
export async function answer<T extends Listed, Wire>(
  { is }: OwnerList<T, Wire>,
  { db, site, request }: Omit<Asking, 'nowMs'>,
  list: readonly Stored<T>[],
  wanted = list,
): Promise<Wire[]> {
  const items = list.map(({ item }) => item);
  const names = await readNames(
    db,
    site,
    wanted.map(({ item }) => item),
  );
  const language = languageOf(site, request);
  return wanted.map((stored) => {
    const { item, version } = stored;
    const groups = item.who.groups?.map((group) => names.groups.get(group) ?? group);
    return {
      ...item,
      version,
      who: { ...item.who, ...(groups && { groups }) },
      sentence: is.sentence(item, names, language, site),
      missing: missingIn(item, names),
      ...is.shown?.(items, list.indexOf(stored)),
      // The fields are those that a request may set, and those above.
    } as Wire;
  });
}

export async function answerOne<T extends Listed, Wire>(
  list: OwnerList<T, Wire>,
  context: Omit<Asking, 'nowMs'>,
  stored: readonly Stored<T>[],
  one: Stored<T>,
): Promise<Wire> {
  return (await answer(list, context, stored, [one]))[0]!;
}

/** What is stored with the fields of a request, in the place of the one before. */
export async function withInput<T extends Listed>(
  list: OwnerList<T, unknown>,
  context: Pick<Asking, 'db' | 'site' | 'nowMs'>,
  input: ListInput,
  before?: T,
): Promise<T> {
  const errors = new FieldErrors();
  const item = await readInput(list, context, input, errors, before);
  if (!errors.isEmpty) throw invalidParameters(errors.invalid);
  return item;
}

/** Reports what a request names and does not exist. What the one before names may be deleted. */
export async function readInput<T extends Listed>(
  { is }: OwnerList<T, unknown>,
  { db, site, nowMs }: Pick<Asking, 'db' | 'site' | 'nowMs'>,
  { who, ...others }: ListInput,
  errors: FieldErrors,
  before?: T,
): Promise<T> {
  const given = { ...others, ...(who && { who: await toStoredWho(db, who, errors) }) };
  for (const { field } of missingIn(given, await readNames(db, site, [given]))) {
    errors.invalid[field] ??= 'does not exist';
  }
  // The schemas of requests are those of `T`.
  const item = is.completed({ ...before, ...given } as Partial<T>, before, site, nowMs);
  // A part of the request and one of the stored may not fit together.
  is.check(item, errors, site);
  return item;
}

/** Groups are stored by id, so that a rule outlives a new name. */
async function toStoredWho(
  db: Reader,
  { groups, ...others }: NonNullable<ListInput['who']>,
  errors: FieldErrors,
): Promise<RuleWho> {
  if (!groups) return others;
  const ids = new Set<number>();
  for (const [i, group] of groups.entries()) {
    const id = typeof group === 'number' ? group : (await findGroupByName(db, group))?.id;
    if (id === undefined) errors.add(`who.groups[${i}]`, 'there is no group with this name');
    else ids.add(id);
  }
  return { groups: [...ids] };
}
