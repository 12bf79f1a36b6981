import { addonFacts } from './addon-facts.ts';

/** Switches on the add-ons that are off until their setting is changed. */
export const everyAddonOn: Readonly<Record<string, true>> = Object.fromEntries(
  addonFacts.flatMap(({ switchedOnBy }) => (switchedOnBy ? [[switchedOnBy, true as const]] : [])),
);

/** Lets the add-ons that send something send it to this machine. */
export const sendingHere: Readonly<Record<string, true>> = Object.fromEntries(
  addonFacts.flatMap(({ sendsHereBy }) => (sendsHereBy ? [[sendsHereBy, true as const]] : [])),
);
