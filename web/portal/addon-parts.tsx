import parts from 'addons:portal';
import type { FunctionComponent } from 'preact';
import { hasAddon } from '../addons.ts';

/** What an add-on shows inside screens of others: the `part` of `addons/<name>/portal/part.tsx`. */
export interface PortalPart {
  /** The name of the module: without it, nothing is shown. */
  readonly addon: string;
  /** Below the latest orders. */
  readonly home?: FunctionComponent;
  /** A card of the profile, above the export of all data. */
  readonly profile?: FunctionComponent;
}

const all: readonly PortalPart[] = parts;

/** What active add-ons show in a place of a screen. */
export function AddonParts({ place }: { place: 'home' | 'profile' }) {
  return all
    .filter(({ addon }) => hasAddon(addon))
    .map(({ addon, [place]: Part }) => Part && <Part key={addon} />);
}
