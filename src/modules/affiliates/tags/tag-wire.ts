import Type from 'typebox';

export const TAGS_MAX = 20;

/** Not blank, and without control characters and commas, which separate tags in forms and exports. */
export const TagName = Type.String({
  pattern: '^(?=.*\\S)[^,\\u0000-\\u001f\\u007f-\\u009f]{1,40}$',
  examples: ['vip'],
  description: 'At most 40 characters, without commas. Case does not distinguish tags.',
});

export const TagNames = Type.Array(TagName, {
  maxItems: TAGS_MAX,
  description: 'All its tags from now on.',
});

export const TagsSchema = Type.Object(
  { tags: Type.Array(Type.String(), { description: 'By name.' }) },
  { $id: 'AffiliateTags', examples: [{ tags: ['travel', 'vip'] }] },
);
