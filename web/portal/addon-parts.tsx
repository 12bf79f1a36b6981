import parts from 'addons:portal';
import type { FunctionComponent } from 'preact';
import { hasAddon } from '../addons.ts';
import type { WordKey } from '../words.ts';
import type { MoneyPart } from './money/money-part.ts';
import type { PortalScreen } from './portal-screen.ts';

/** What an add-on brings to the portal: the `part` of `addons/<name>/portal/part.tsx`. */
export interface PortalPart {
  /** The name of the module: without it, nothing is shown. */
  readonly addon: string;
  readonly screens?: readonly PortalScreen[];
  /** A tab beside the link: something else to share. */
  readonly share?: ShareTab;
  /** What a program reads of the affiliate's own figures. */
  readonly figures?: OwnFigures;
  /** Around the balance on the screen of the money, which loads it. */
  readonly moneyScreen?: () => Promise<MoneyPart>;
  /** Below the latest orders. */
  readonly home?: FunctionComponent;
  /** Below the list of orders. */
  readonly orders?: FunctionComponent;
  /** Below the balance. */
  readonly money?: FunctionComponent;
  /** A card of the profile, above the export of all data. */
  readonly profile?: FunctionComponent;
  /** How else programs get the orders, beside the keys. */
  readonly programs?: FunctionComponent;
}

interface ShareTab {
  /** In the address. */
  readonly tab: string;
  readonly label: WordKey;
  readonly position: number;
  readonly View: FunctionComponent<{ couponId: number }>;
}

interface OwnFigures {
  readonly label: WordKey;
  /** Below the address of the affiliate. */
  readonly path: string;
}

const all: readonly PortalPart[] = parts;
export const activeParts = all.filter(({ addon }) => hasAddon(addon));

export const addonScreens = activeParts.flatMap(({ screens = [] }) => screens);
export const addonShareTabs = activeParts
  .flatMap(({ share = [] }) => share)
  .toSorted((a, b) => a.position - b.position);
export const addonFigures = activeParts.flatMap(({ figures = [] }) => figures);

type Place = 'home' | 'orders' | 'money' | 'profile' | 'programs';

/** What active add-ons show in a place of a screen. */
export function AddonParts({ place }: { place: Place }) {
  return activeParts.map(({ addon, [place]: Part }) => Part && <Part key={addon} />);
}
