import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { guides, type GuideName, type GuideReader } from '../../web-contract/guides.ts';
import { readBuilt } from '../web/index.ts';

/** What `scripts/build-help.js` makes of a guide. */
interface BuiltGuide {
  readonly title: string;
  /** Its first sentence. */
  readonly about: string;
  /** Everything below the title. */
  readonly html: string;
  /** The first one is the guide's title, with what comes before its other headings. */
  readonly sections: readonly GuideSection[];
  readonly markdown: string;
}

export interface GuideSection {
  readonly anchor: string;
  /** 1 for the title, 2 and more for the headings below it. */
  readonly level: number;
  readonly heading: string;
  /** Plain text, in one line. */
  readonly text: string;
}

export interface GuidePage extends BuiltGuide {
  readonly name: GuideName;
  readonly reader: GuideReader;
}

let known: ReadonlyMap<string, GuidePage> | undefined;

/** All guides in the order in which they are listed, read when someone opens the first of them. */
export function guidePages(): ReadonlyMap<string, GuidePage> {
  known ??= readGuides();
  return known;
}

function readGuides(): ReadonlyMap<string, GuidePage> {
  // The file was written by the build of this version.
  const built = JSON.parse(readBuilt('help.json').toString()) as Record<GuideName, BuiltGuide>;
  // The keys of the list.
  const names = Object.keys(guides) as GuideName[];
  return new Map(names.map((name) => [name, { name, reader: guides[name], ...built[name] }]));
}

/** An unknown name is a path that does not exist. */
export function guideNamed(name: string): GuidePage {
  const guide = guidePages().get(name);
  if (!guide) throw new ApiError(generalErrors.noRoute);
  return guide;
}
