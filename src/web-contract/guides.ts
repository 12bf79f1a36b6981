/** The readers of guides. A guide that is not for integrators has no request to an API in it. */
export const guideReaders = ['owner', 'affiliate', 'integrator'] as const;
export type GuideReader = (typeof guideReaders)[number];

/**
 * The guides of docs/ below `/help`, each with its one reader, in the order in which they are listed. An add-on has its own, which
 * says in its first line who reads it.
 */
export const guides = {
  owner: 'owner',
  'good-program': 'owner',
  rewards: 'owner',
  'moving-from-another-system': 'owner',
  'your-account': 'affiliate',
  'your-figures': 'affiliate',
  api: 'integrator',
  'links-and-clicks': 'integrator',
  tracking: 'integrator',
  webhooks: 'integrator',
  'reward-rules': 'integrator',
  figures: 'integrator',
  'by-guide': 'integrator',
} as const satisfies Record<string, GuideReader>;

/** Guides of add-ons are listed before this one and those after it. */
export const guidesListedLast = 'moving-from-another-system' satisfies keyof typeof guides;

type OwnGuides = typeof guides;
/** An add-on merges the guide of its folder into it where a screen leads to it. */
export interface Guides extends OwnGuides {}
type GuideName = keyof Guides;

/** The guides of these readers, and their sections, below `/help`. */
type GuideFor<R extends GuideReader> = {
  [N in GuideName]: Guides[N] extends R ? N | `${N}#${string}` : never;
}[GuideName];

/** What a screen of the console may lead to: the team also gives programs access. */
export type TeamGuide = GuideFor<'owner' | 'integrator'>;
/** What a screen of the portal may lead to. */
export type AffiliateGuide = GuideFor<'affiliate'>;
