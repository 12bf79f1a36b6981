import Type, { type Static } from 'typebox';
import type { Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { GroupName } from '../groups/index.ts';
import { applyChange, type AffiliateChange } from './apply-change.ts';
import { affiliateStatuses } from './tables.ts';
import { TagName, TAGS_MAX } from './tags/tag-wire.ts';

const IDS_MAX = 500;
const GROUPS_MAX = 20;

const names = (schema: typeof GroupName, description: string) =>
  Type.Optional(Type.Array(schema, { maxItems: GROUPS_MAX, description }));

const ItemSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The affiliate.' }),
    ok: Type.Boolean({ description: 'True if it was changed.' }),
    error: Nullable(
      Type.Object(
        {
          code: Type.String({ description: 'Why not, for programs.' }),
          message: Type.String({ description: 'Why not, for people.' }),
        },
        { description: 'Null for a change that was made.' },
      ),
    ),
  },
  { $id: 'ChangedAffiliate', examples: [{ id: 7, ok: true, error: null }] },
);

export const changeAffiliates = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/batch',
  summary: 'Change up to 500 affiliates in the same way',
  description: 'Each is processed separately: one that is refused does not stop the others.',
  access: 'admin',
  scope: 'write',
  proof: ({ add_groups, remove_groups }) => (add_groups ?? remove_groups) !== undefined,
  body: Type.Object(
    {
      ids: Type.Array(Id('An affiliate.'), {
        minItems: 1,
        maxItems: IDS_MAX,
        description: 'The affiliates.',
      }),
      status: Type.Optional(
        StringEnum(affiliateStatuses, { description: 'Suspends or reinstates them.' }),
      ),
      reason: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1_000,
          description: 'Why the status changes; becomes a note.',
        }),
      ),
      add_groups: names(GroupName, 'Groups to add.'),
      remove_groups: names(GroupName, 'Groups to leave.'),
      add_tags: names(TagName, 'Tags to add.'),
      remove_tags: names(TagName, 'Tags to remove.'),
    },
    { $id: 'ChangeAffiliates' },
  ),
  example: { body: { ids: [7], add_tags: ['vip'] } },
  response: Type.Object(
    { items: Type.Array(ItemSchema, { description: 'One per id, in their order.' }) },
    { $id: 'ChangedAffiliates', examples: [{ items: [{ id: 7, ok: true, error: null }] }] },
  ),
  transaction: false,
  async handle({ site, caller, nowMs }, { ids, status, reason, ...input }) {
    const change: Omit<AffiliateChange, 'id'> = {
      ...(status !== undefined && { status }),
      ...(reason !== undefined && { reason }),
      ...((input.add_groups ?? input.remove_groups) && {
        groups: (now: string[]) => changed(now, input.add_groups, input.remove_groups),
      }),
      ...((input.add_tags ?? input.remove_tags) && {
        tags: (now: string[]) => requireFewTags(changed(now, input.add_tags, input.remove_tags)),
      }),
    };
    const items: Static<typeof ItemSchema>[] = [];
    for (const id of new Set(ids))
      items.push(await changeOne(site, caller, { id, ...change }, nowMs));
    return { items };
  },
});

async function changeOne(
  site: Site,
  caller: Caller,
  change: AffiliateChange,
  nowMs: number,
): Promise<Static<typeof ItemSchema>> {
  try {
    await site.database.transaction((tx) => applyChange(tx, site, caller, change, nowMs));
    return { id: change.id, ok: true, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      id: change.id,
      ok: false,
      error: { code: error.definition.code, message: error.message },
    };
  }
}

/** None is dropped in silence. */
function requireFewTags(tags: string[]): string[] {
  if (tags.length <= TAGS_MAX) return tags;
  const message = `An affiliate has at most ${TAGS_MAX} tags, and this one would have ${tags.length}.`;
  throw new ApiError(generalErrors.invalidParam, { message });
}

/** The names after some are added and some removed; case does not distinguish them. */
function changed(
  now: readonly string[],
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] {
  const byName = new Map(
    [...added, ...now].map((name) => [name.trim().toLowerCase(), name.trim()]),
  );
  for (const name of removed) byName.delete(name.trim().toLowerCase());
  return [...byName.values()];
}
