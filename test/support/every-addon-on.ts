import { loadEdition } from '../../src/edition-pro.ts';

/** Switches on the add-ons that are off until their setting is changed. */
export const everyAddonOn: Readonly<Record<string, true>> = Object.fromEntries(
  (await loadEdition('pro')).flatMap(({ shownWhile }) =>
    shownWhile === undefined ? [] : [[shownWhile.key, true as const]],
  ),
);
