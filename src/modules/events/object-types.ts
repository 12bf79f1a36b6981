import type { ActiveDeclarations } from '../../kernel/declare/active-declarations.ts';

/** An affiliate has the id of its user, so events about both have the same object. */
const AFFILIATE = 'affiliate';
const USER = 'user';

/** The type of the object of an event. The kinds of inactive add-ons are not declared: they name their object. */
export function objectTypeOf(kind: string, active: ActiveDeclarations): string {
  return active.events().find((event) => event.kind === kind)?.object ?? kind;
}

/** The kinds of events whose object has this type. */
export function kindsAbout(type: string, active: ActiveDeclarations): string[] {
  const types = type === AFFILIATE || type === USER ? [AFFILIATE, USER] : [type];
  const declared = active.events().filter((event) => types.includes(event.object));
  const kinds = new Set(declared.map(({ kind }) => kind));
  return kinds.size > 0 ? [...kinds] : [type];
}
